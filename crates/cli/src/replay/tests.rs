//! The layers of the replay against captures that the tests write themselves.
