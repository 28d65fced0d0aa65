//! Who answers a call, in which order, and what is counted.

use std::sync::{Arc, Mutex};

use ninefold_guest::cpu::DF;
use ninefold_guest::dispatch::{Answer, Hook, Settings, Translated, Visibility, compare};
use ninefold_guest::interpreter;
use ninefold_guest::memory::Access;
use ninefold_guest::profile::{BARE_RETURN, Routine, global};
use ninefold_guest::survey::Sites;
use ninefold_guest::{Error, Frame, Interpreter, Machine, Memory, Overrides, Reg, reference};
use tracing::field::Field;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

const DATA: u32 = 0x0090_0000;
const STACK: u32 = 0x0070_0000;
const TOP: u32 = STACK + 0x1000;
const BACK: u32 = 0xFFFF_FFF0;
/// A box from 0 to 8, one from 2 to 4, a place to write to.
const LARGE: u32 = DATA;
const SMALL: u32 = DATA + 0x20;
const OUT: u32 = DATA + 0x40;
const BSP: u32 = DATA + 0x200;
const CLUSTER: u32 = DATA + 0x600;

/// The interpreter, and what it was asked to run.
struct Host {
    interpreter: Interpreter,
    ran: Vec<u32>,
}

impl Translated for Host {
    fn run(
        &mut self,
        machine: &mut Machine,
        overrides: &mut Overrides,
        frame: Frame,
    ) -> Result<(), Error> {
        self.ran.push(machine.cpu.eip);
        while let interpreter::Event::Call(_) = self.interpreter.advance(machine, frame, &mut ())? {
            overrides.attempt(machine, self)?;
        }
        Ok(())
    }
}

struct Guest {
    machine: Machine,
    overrides: Overrides,
    host: Host,
}

fn guest(settings: Settings) -> Guest {
    let mut memory = Memory::new(16 << 20);
    reference::map(&mut memory).unwrap();
    let sites = Sites::find(&memory).unwrap();
    for (start, end) in [
        (STACK, TOP),
        (0x0072_4000, 0x0072_5000),
        (0x0074_6000, 0x0074_7000),
        (0x007C_3000, 0x007D_2000),
        (0x0085_0000, 0x0085_1000),
        (DATA, DATA + 0x1000),
    ] {
        memory
            .map(start, (end - start) as usize, Access::ReadWrite)
            .unwrap();
    }
    for axis in 0..3 {
        for (at, value) in [
            (LARGE, 0.0_f32),
            (LARGE + 4, 8.0),
            (SMALL, 2.0),
            (SMALL + 4, 4.0),
        ] {
            memory.write_u32(at + 8 * axis, value.to_bits()).unwrap();
        }
    }
    // One visible cluster without subclusters; no lightmaps.
    memory.write_u32(global::STRUCTURE_BSP, BSP).unwrap();
    memory.write_u32(BSP + 0x138, CLUSTER).unwrap();
    memory.write_u32(BSP + 0xE4, DATA + 0x700).unwrap();
    memory.write_u32(global::RECORD_COUNT, 1).unwrap();
    let mut machine = Machine::new(memory);
    machine.cpu[Reg::Esp] = TOP;
    Guest {
        machine,
        overrides: Overrides::new(settings, Some(sites)),
        host: Host {
            interpreter: Interpreter::new(),
            ran: Vec::new(),
        },
    }
}

impl Guest {
    fn call(&mut self, function: u32) {
        let esp = self.machine.cpu[Reg::Esp];
        self.overrides
            .call(&mut self.machine, &mut self.host, function, BACK)
            .unwrap();
        assert_eq!(self.machine.cpu.eip, BACK);
        assert_eq!(self.machine.cpu[Reg::Esp], esp);
    }

    /// Whether the large box holds the small one.
    fn overlap(&mut self) -> u32 {
        self.machine.cpu[Reg::Ecx] = LARGE;
        self.machine.cpu[Reg::Edx] = SMALL;
        self.call(Routine::BoxOverlap.address());
        self.machine.cpu[Reg::Eax]
    }

    fn counts(&self, routine: Routine) -> (u64, u64) {
        let counters = self.overrides.counters();
        (counters.native(routine), counters.fallback(routine))
    }
}

type Log = Arc<Mutex<Vec<&'static str>>>;

/// A hook that notes that it was asked.
fn hook(log: &Log, name: &'static str, answer: Answer) -> Hook {
    let log = Arc::clone(log);
    Box::new(move |_| {
        log.lock().unwrap().push(name);
        Ok(answer)
    })
}

fn taken(log: &Log) -> Vec<&'static str> {
    std::mem::take(&mut *log.lock().unwrap())
}

#[test]
fn a_leaf_is_native_until_it_is_switched_off() {
    let mut guest = guest(Settings::default());
    assert_eq!(guest.overlap(), 2);
    assert_eq!(guest.host.ran, [0; 0]);
    assert_eq!(guest.counts(Routine::BoxOverlap), (1, 0));
    guest.overrides.set_settings(Settings::TRANSLATED);
    guest.machine.cpu[Reg::Eax] = 99;
    assert_eq!(guest.overlap(), 2);
    assert_eq!(guest.host.ran, [0x0055_41B0]);
    assert_eq!(guest.counts(Routine::BoxOverlap), (1, 0));
    assert_eq!(guest.counts(Routine::MatrixProduct), (0, 0));
}

#[test]
fn what_declines_is_untouched_and_runs_as_translated() {
    type Change = fn(&mut Machine);
    let reasons: [(&str, Change); 5] = [
        ("rounding", |machine| machine.cpu.fpu.control |= 1 << 10),
        ("direction", |machine| machine.cpu.set_flags(DF, DF)),
        ("x87 slots", |machine| machine.cpu.fpu.occupied = 0xFF),
        ("bounded", |machine| machine.instruction_limit = Some(1_000)),
        ("stack", |machine| machine.cpu[Reg::Esp] = STACK + 8),
    ];
    for (reason, change) in reasons {
        let mut guest = guest(Settings::NATIVE);
        guest.machine.cpu[Reg::Ecx] = LARGE;
        guest.machine.cpu[Reg::Edx] = DATA + 0x80;
        guest.machine.cpu[Reg::Esi] = OUT;
        change(&mut guest.machine);
        guest
            .machine
            .enter(Routine::NodeBounds.address(), BACK)
            .unwrap();
        let Guest {
            machine,
            overrides,
            host,
        } = &mut guest;
        let comparison = compare(Routine::NodeBounds, machine, overrides, host).unwrap();
        assert_eq!(comparison.native, Ok(false), "{reason}");
        assert_eq!(comparison.differences, [""; 0], "{reason}");
        assert_eq!(host.ran, [0x0055_3380], "{reason}");
        let result = comparison.translated;
        assert_eq!(result.is_err(), reason == "stack", "{reason}: {result:?}");
    }
    let mut guest = guest(Settings::NATIVE);
    guest.machine.cpu.fpu.control |= 1 << 10;
    assert_eq!(guest.overlap(), 2);
    assert_eq!(guest.counts(Routine::BoxOverlap), (0, 1));
    assert_eq!(guest.host.ran, [0x0055_41B0]);
}

#[test]
fn a_stack_across_pages_mapped_in_another_order_runs_as_translated() {
    const OTHER: u32 = 0x0060_0000;
    let mut guest = guest(Settings::NATIVE);
    for page in [OTHER + 0x1000, OTHER] {
        let memory = &mut guest.machine.memory;
        memory.map(page, 0x1000, Access::ReadWrite).unwrap();
    }
    let call = |guest: &mut Guest, esp: u32| {
        guest.machine.cpu[Reg::Esp] = esp;
        guest.machine.cpu[Reg::Ecx] = LARGE;
        guest.machine.cpu[Reg::Edx] = DATA + 0x80;
        guest.machine.cpu[Reg::Esi] = OUT;
        guest.call(Routine::NodeBounds.address());
        guest.counts(Routine::NodeBounds)
    };
    // The frame's last word lies in the page below.
    assert_eq!(call(&mut guest, OTHER + 0x1008), (0, 1));
    assert_eq!(call(&mut guest, OTHER + 0x100C), (1, 1));
    assert_eq!(call(&mut guest, OTHER + 0x1000), (2, 1));
    assert_eq!(guest.host.ran, [0x0055_3380]);
}

#[test]
fn leaves_come_before_hooks_and_hooks_before_the_static_table() {
    let log = Log::default();
    let mut guest = guest(Settings::NATIVE);
    let address = Routine::BoxOverlap.address();
    guest
        .overrides
        .add_hook(address, hook(&log, "first", Answer::Pass));
    guest
        .overrides
        .add_hook(address, hook(&log, "second", Answer::Pass));
    let before = guest
        .overrides
        .set_static(address, hook(&log, "static", Answer::Pass));
    assert!(before.is_none());
    guest.overlap();
    assert_eq!(taken(&log), [""; 0]);
    guest.overrides.set_settings(Settings::TRANSLATED);
    guest.overlap();
    assert_eq!(taken(&log), ["first", "second", "static"]);
    assert_eq!(guest.host.ran, [address]);
    // A hook that answers ends it.
    guest
        .overrides
        .add_hook(address, hook(&log, "third", Answer::Return(0)));
    guest.overlap();
    assert_eq!(taken(&log), ["first", "second", "third"]);
    assert_eq!(guest.host.ran.len(), 1);
    assert!(
        guest
            .overrides
            .set_static(address, hook(&log, "new", Answer::Pass))
            .is_some()
    );
}

#[test]
fn gathers_come_before_hooks() {
    let log = Log::default();
    let mut guest = guest(Settings::NATIVE);
    let address = Routine::LeafGather.address();
    guest
        .overrides
        .add_hook(address, hook(&log, "hook", Answer::Pass));
    let gather = |guest: &mut Guest| {
        guest.machine.cpu[Reg::Eax] = 0x8000_0000;
        guest.machine.cpu[Reg::Ecx] = 2;
        guest.machine.cpu[Reg::Esp] = TOP - 0x40;
        guest.call(address);
        assert_eq!(guest.machine.cpu[Reg::Eax], 0);
    };
    gather(&mut guest);
    assert_eq!((taken(&log), guest.host.ran.len()), (vec![], 0));
    guest.overrides.set_settings(Settings::default());
    gather(&mut guest);
    assert_eq!((taken(&log), guest.host.ran.len()), (vec!["hook"], 1));
    assert_eq!(guest.counts(Routine::LeafGather), (1, 0));
}

#[test]
fn visibility_and_the_dead_walk_come_between_hooks_and_the_static_table() {
    for routine in [Routine::VisibleSurfaces, Routine::MaterialWalk] {
        let log = Log::default();
        let mut guest = guest(Settings::NATIVE);
        let address = routine.address();
        guest
            .overrides
            .add_hook(address, hook(&log, "hook", Answer::Pass));
        guest
            .overrides
            .set_static(address, hook(&log, "static", Answer::Pass));
        let call = |guest: &mut Guest, first_argument: u32| {
            guest.machine.cpu[Reg::Esp] = TOP;
            for argument in [0, 0, 0, 0, first_argument] {
                guest.machine.push(argument).unwrap();
            }
            guest.machine.cpu[Reg::Eax] = 0;
            guest.call(address);
        };
        let good = if routine == Routine::VisibleSurfaces {
            BSP
        } else {
            BARE_RETURN
        };
        call(&mut guest, good);
        assert_eq!(taken(&log), ["hook"], "{routine:?}");
        assert_eq!(guest.counts(routine), (1, 0));
        assert_eq!(guest.host.ran, [0; 0]);
        guest.overrides.set_settings(Settings::TRANSLATED);
        call(&mut guest, good);
        assert_eq!(taken(&log), ["hook", "static"], "{routine:?}");
        assert_eq!(guest.host.ran, [address]);
    }
    // A walk with a callback that does something is not dead.
    let mut guest = guest(Settings::NATIVE);
    for argument in [0, 0, 0, 0, 0x0055_41B0] {
        guest.machine.push(argument).unwrap();
    }
    guest.call(Routine::MaterialWalk.address());
    assert_eq!(guest.counts(Routine::MaterialWalk), (0, 1));
}

#[test]
fn answers_take_arguments_off_the_stack() {
    let log = Log::default();
    let mut guest = guest(Settings::NATIVE);
    // An address that is no routine's: the hook makes it interesting.
    let address = 0x0060_0000;
    guest.machine.push(7).unwrap();
    guest.machine.push(8).unwrap();
    guest
        .overrides
        .add_hook(address, hook(&log, "stdcall", Answer::Return(8)));
    guest.machine.enter(address, BACK).unwrap();
    let Guest {
        machine,
        overrides,
        host,
    } = &mut guest;
    assert_eq!(overrides.attempt(machine, host), Ok(true));
    assert_eq!((machine.cpu.eip, machine.cpu[Reg::Esp]), (BACK, TOP));
    // One that nobody asked for.
    machine.enter(address + 4, BACK).unwrap();
    let before = machine.cpu;
    assert_eq!(overrides.attempt(machine, host), Ok(false));
    assert_eq!(machine.cpu, before);
    assert_eq!(taken(&log), ["stdcall"]);
}

#[test]
fn translated_code_reaches_native_leaves() {
    let mut guest = guest(Settings::default());
    guest.machine.cpu[Reg::Eax] = 0x8000_0000;
    guest.machine.cpu[Reg::Ecx] = 0;
    // parent, visited, out, max, box, plane count, planes
    for argument in [DATA + 0x800, 0, SMALL, 4, OUT, DATA + 0x900, LARGE] {
        guest.machine.push(argument).unwrap();
    }
    guest.call(Routine::LeafGather.address());
    assert_eq!(guest.host.ran, [0x0055_40C0]);
    assert_eq!(guest.counts(Routine::NodeBounds), (1, 0));
    assert_eq!(guest.counts(Routine::BoxOverlap), (1, 0));
}

#[test]
fn verify_keeps_the_translated_result_and_counts_mismatches() {
    let settings = Settings {
        native_visibility: Visibility::Verify,
        ..Settings::NATIVE
    };
    let mut guest = guest(settings);
    let call = |guest: &mut Guest| {
        guest.machine.cpu[Reg::Esp] = TOP;
        guest.machine.push(BSP).unwrap();
        guest.call(Routine::VisibleSurfaces.address());
    };
    call(&mut guest);
    let counters = guest.overrides.counters();
    assert_eq!((counters.verified, counters.mismatches), (1, 0));
    assert_eq!(guest.counts(Routine::VisibleSurfaces), (1, 0));
    assert_eq!(guest.machine.cpu[Reg::Ecx], 1);

    break_visible_surfaces(&mut guest.machine.memory);
    for _ in 0..20 {
        call(&mut guest);
        // The cluster has no subclusters: what is translated, fault and all, stays.
        assert_eq!(guest.machine.cpu[Reg::Ecx], 0);
    }
    let counters = guest.overrides.counters();
    assert_eq!((counters.verified, counters.mismatches), (21, 20));
    // A native version that declines is a fallback and no mismatch.
    guest.machine.cpu.fpu.control |= 1 << 10;
    call(&mut guest);
    assert_eq!(guest.overrides.counters().mismatches, 20);
    assert_eq!(guest.counts(Routine::VisibleSurfaces), (21, 1));
}

/// The routine's end takes ecx from the subcluster's number instead of the record's.
fn break_visible_surfaces(memory: &mut Memory) {
    let routine = reference::ROUTINES
        .iter()
        .find(|routine| routine.address == 0x0055_3920);
    let bytes = routine.unwrap().bytes;
    let last = bytes
        .windows(4)
        .rposition(|bytes| bytes == [0x8B, 0x4C, 0x24, 0x0C])
        .unwrap();
    memory.load(0x0055_3920 + last as u32 + 3, &[8]).unwrap();
}

/// What is logged, by level and text.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<(Level, String)>>>);

impl Subscriber for Logged {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = String::new();
        event.record(&mut |field: &Field, value: &dyn std::fmt::Debug| {
            text += &format!("{field}={value:?} ");
        });
        let level = *event.metadata().level();
        self.0.lock().unwrap().push((level, text));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn verify_logs_sixteen_mismatches_and_a_summary_every_600_calls() {
    let settings = Settings {
        native_visibility: Visibility::Verify,
        ..Settings::NATIVE
    };
    let mut guest = guest(settings);
    break_visible_surfaces(&mut guest.machine.memory);
    let logged = Logged::default();
    tracing::subscriber::with_default(logged.clone(), || {
        for _ in 0..1_300 {
            guest.machine.cpu[Reg::Esp] = TOP;
            guest.machine.push(BSP).unwrap();
            guest.call(Routine::VisibleSurfaces.address());
        }
    });
    let logged = logged.0.lock().unwrap();
    let of = |level| logged.iter().filter(move |line| line.0 == level);
    assert_eq!(of(Level::WARN).count(), 16);
    assert!(of(Level::WARN).all(|(_, text)| text.contains("ecx is 0x0, natively 0x1")));
    let summaries: Vec<&str> = of(Level::INFO).map(|(_, text)| text.as_str()).collect();
    let [first, second] = summaries[..] else {
        panic!("{summaries:?}");
    };
    assert!(first.contains("calls=600 mismatches=600 "), "{first}");
    assert!(second.contains("calls=1200 mismatches=1200 "), "{second}");
}
