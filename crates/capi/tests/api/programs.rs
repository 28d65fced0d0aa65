//! C programs over `libninefold`, each of which checks itself.

use std::process::Command;

use crate::harness::*;

/// Compiles a program of `tests/c` and runs it.
fn program(file: &str, link: Link) {
    let compiler = if file.ends_with(".cpp") { "g++" } else { "gcc" };
    if !can_compile(compiler) {
        return;
    }
    let folder = scratch(&match link {
        Link::Dynamic => file.to_owned(),
        Link::Static => format!("{file}-static"),
    });
    let source = crate_dir().join("tests/c").join(file);
    run(Command::new(compile(&source, &folder, link)).current_dir(folder));
}

macro_rules! programs {
    ($($name:ident: $file:literal, $link:ident;)*) => {$(
        #[test]
        fn $name() {
            program($file, Link::$link);
        }
    )*};
}

programs! {
    draws_and_their_pixels: "draws.c", Dynamic;
    draws_of_a_program_that_has_the_library_inside: "draws.c", Static;
    state_and_its_equations: "states.c", Dynamic;
    the_order_of_the_calls: "order.c", Dynamic;
    every_code: "errors.c", Dynamic;
}
