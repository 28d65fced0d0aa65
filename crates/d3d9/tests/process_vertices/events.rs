//! What is told of the first calls.

use super::told::{Said, Told};
use super::*;

#[test]
fn twenty_calls_and_eight_successes_are_traced() {
    for trace in [false, true] {
        let settings = VertexSettings {
            trace,
            ..VertexSettings::default()
        };
        let Some(mut d) = ways::processing(settings) else {
            return;
        };
        d.set_fvf(D3DFVF_XYZ).unwrap();
        let from = buffer(&mut d, 0, &[0; 24]);
        d.set_stream_source(0, Some(from), 0, 12).unwrap();
        let to = blank(&mut d, D3DFVF_XYZ, 24);
        let told = Told::of("ninefold::process_vertices");
        tracing::subscriber::with_default(told.clone(), || {
            for n in 0..30 {
                let ok = d.process_vertices(n % 3, 0, 1, to, None, 0).is_ok();
                assert_eq!(ok, n % 3 != 2);
            }
        });
        let events: Vec<String> = told.take().iter().map(Said::line).collect();
        let count = |done| events.iter().filter(|e| e.contains(done)).count();
        let (calls, successes) = if trace { (20, 8) } else { (0, 0) };
        assert_eq!(
            (count("done=false"), count("done=true")),
            (calls, successes)
        );
        assert!(!trace || events[0] == "source=0;index=0;count=1;flags=0;done=false;");
    }
}
