//! One call, checked and ready: vertices through the vertex operation into memory.

use ninefold_exec::element::{Column, ColumnMut, ElementType};
use ninefold_exec::fixed::{Vertex, Viewport};
use ninefold_exec::limits::GROUP;
use ninefold_exec::skin::{Skin, SkinBones, SkinGroup, SkinLayout, SkinStream, Vectors};
use ninefold_exec::{Constants, GroupRegister, Machine, Program};

use super::fixed::{self, Fixed};
use super::layout::{Field, Made, Origin};
use super::texture::Textures;
use super::{Feed, Operation, Target};
use crate::clip_status::{ClipStatus, Past};
use crate::fault::{Fault, Outcome};

/// What one thread uses again from call to call.
#[derive(Default)]
pub(super) struct Worker {
    machine: Machine,
    vertices: Vec<Vertex>,
    skin: SkinGroup,
}

/// A call. All of its ranges have been checked.
pub(super) struct Call<'a> {
    pub(super) operation: &'a Operation,
    pub(super) inputs: &'a [Feed<Column<'a>>],
    pub(super) fields: &'a [Field],
    /// The source of each field that is copied.
    pub(super) copied: &'a [Option<Column<'a>>],
    pub(super) constants: &'a Constants<'a>,
    pub(super) textures: &'a Textures,
    /// Of the destination.
    pub(super) stride: usize,
    pub(super) viewport: &'a Viewport,
    /// The position to add to the clip status.
    pub(super) position: Option<&'a Made>,
}

/// A faster way to run the program of a call.
#[derive(Clone, Copy)]
pub(super) enum Fast<'a> {
    /// Group by group, where that can be.
    Skin(Skin),
    /// All of the vertices, without a fault.
    Stream(&'a SkinStream<'a>),
}

/// Places of oPos and oT0.
const POSITION: u8 = 0;
const COORDINATES: u8 = 5;

/// A register of a group of vertices.
#[derive(Clone, Copy)]
enum Values<'a> {
    Lanes(&'a GroupRegister),
    Vectors(&'a Vectors),
}

impl Values<'_> {
    fn get(self, vertex: usize) -> [f32; 4] {
        let vertex = vertex % GROUP;
        match self {
            Values::Lanes(lanes) => [0, 1, 2, 3].map(|c| lanes[c][vertex]),
            Values::Vectors(vectors) => vectors[vertex],
        }
    }

    /// Stores components, of which `first` is the first, in an element.
    fn store(self, to: ColumnMut<'_>, count: usize, mask: u8, first: usize) {
        match self {
            Values::Lanes(lanes) => to.store_lanes(count, mask, lanes, first),
            Values::Vectors(vectors) if first == 0 => to.store(count, mask, |n| vectors[n % GROUP]),
            Values::Vectors(vectors) => to.store(count, mask, |n| {
                let value = vectors[n % GROUP];
                [0, 1, 2, 3].map(|c| value[(c + first) & 3])
            }),
        }
    }
}

impl Call<'_> {
    /// The `count` vertices for a skinning shader's executor, if it is known to run them all.
    pub(super) fn stream<'a>(
        &'a self,
        skin: &Skin,
        count: usize,
        bones: &'a mut SkinBones,
    ) -> Option<SkinStream<'a>> {
        let input = |wanted: usize| {
            let mut feeds = self.inputs.iter();
            let feed = feeds.find(|feed| match feed.to {
                Target::Register { place, mask } => place == wanted && mask == 0xF,
                Target::Slot(_) => false,
            });
            feed.map(|feed| feed.element)
        };
        skin.stream(input, count, self.constants, bones)
    }

    /// Where vertices of the destination get what a skinning shader makes, if they get that alone
    /// and as floats.
    fn skin_layout(&self) -> Option<SkinLayout> {
        let [position, coordinates] = self.fields else {
            return None;
        };
        let is = |field: &Field, place: u8, ty: ElementType| match &field.origin {
            Origin::Made(made) => {
                (made.place, made.first, made.mask) == (place, 0, 0xF) && field.ty == ty
            }
            _ => false,
        };
        let both = is(position, POSITION, ElementType::Float3)
            && is(coordinates, COORDINATES, ElementType::Float2);
        both.then_some(SkinLayout {
            stride: self.stride,
            position: position.offset,
            coordinates: coordinates.offset,
        })
    }

    /// Makes all vertices of `bytes`, on `threads` threads, the fast way where there is one. The
    /// results do not depend on either; of several faults it is the first vertices' that is given.
    pub(super) fn run(
        &self,
        bytes: &mut [u8],
        workers: &mut Vec<Worker>,
        threads: usize,
        fast: Option<Fast<'_>>,
    ) -> Outcome<ClipStatus> {
        let groups = bytes.len().div_ceil(GROUP * self.stride);
        let share = groups.div_ceil(threads.max(1)).max(1);
        let parts = groups.div_ceil(share).max(1);
        if workers.len() < parts {
            workers.resize_with(parts, Worker::default);
        }
        if parts == 1 {
            return self.part(0, bytes, &mut workers[0], fast);
        }
        let parts = bytes.chunks_mut(share * GROUP * self.stride);
        let outcomes: Vec<Outcome<ClipStatus>> = std::thread::scope(|scope| {
            let mut running = Vec::new();
            for (n, (part, worker)) in parts.zip(workers.iter_mut()).enumerate() {
                let first = n * share * GROUP;
                running.push(scope.spawn(move || self.part(first, part, worker, fast)));
            }
            let ended = running.into_iter().map(|thread| {
                let lost = |_| Err(Fault::invalid("a thread of ProcessVertices panicked"));
                thread.join().unwrap_or_else(lost)
            });
            ended.collect()
        });
        let mut all = ClipStatus::default();
        for outcome in outcomes {
            let part = outcome?;
            all.join(part);
        }
        Ok(all)
    }

    /// Makes the vertices of `bytes`, which begin with number `first`.
    fn part(
        &self,
        mut first: usize,
        bytes: &mut [u8],
        worker: &mut Worker,
        fast: Option<Fast<'_>>,
    ) -> Outcome<ClipStatus> {
        let mut clip = ClipStatus::default();
        if let (Some(Fast::Stream(stream)), Some(layout)) = (fast, self.skin_layout()) {
            match self.position {
                None => stream.write(first, bytes, layout, &mut ()),
                Some(_) => {
                    let mut past = Past::default();
                    stream.write(first, bytes, layout, &mut past);
                    clip.join(past.status());
                }
            }
            return Ok(clip);
        }
        for part in bytes.chunks_mut(GROUP * self.stride) {
            let count = part.len() / self.stride;
            match self.operation {
                Operation::Program(program, _) => {
                    let group = &mut worker.skin;
                    let skinned = match fast {
                        Some(Fast::Stream(stream)) => {
                            stream.run(first, count, group);
                            self.write_skinned(first, part, group, &mut clip);
                            true
                        }
                        Some(Fast::Skin(skin)) => {
                            self.skinned(first, part, group, &skin, &mut clip)
                        }
                        None => false,
                    };
                    if !skinned {
                        self.program(first, part, &mut worker.machine, program, &mut clip)?;
                    }
                }
                Operation::Fixed(fixed) => {
                    self.fixed(first, part, &mut worker.vertices, fixed, &mut clip);
                }
            }
            first += count;
        }
        Ok(clip)
    }

    /// Runs the program for one group.
    fn program(
        &self,
        first: usize,
        part: &mut [u8],
        machine: &mut Machine,
        program: &Program,
        clip: &mut ClipStatus,
    ) -> Outcome<()> {
        let count = part.len() / self.stride;
        let fault = |e| Fault::invalid(format!("vertex shader: {e}"));
        let mut group = program.group(machine, count).map_err(fault)?;
        for feed in self.inputs {
            if let Target::Register { place, mask } = feed.to
                && let Some(register) = group.input(place)
            {
                feed.element.from(first).fill(count, mask, register);
            }
        }
        let mut textures = self.textures;
        group.run(self.constants, &mut textures).map_err(fault)?;
        self.write(first, part, clip, |place, f| {
            group.with_output(place, |register| f(Values::Lanes(register)));
        });
        Ok(())
    }

    /// The same the fast way, if that can be; nothing is written if it cannot.
    fn skinned(
        &self,
        first: usize,
        part: &mut [u8],
        group: &mut SkinGroup,
        skin: &Skin,
        clip: &mut ClipStatus,
    ) -> bool {
        let count = part.len() / self.stride;
        for feed in self.inputs {
            let Target::Register { place, mask: 0xF } = feed.to else {
                return false;
            };
            if let Some(register) = group.input(place) {
                let column = feed.element.from(first);
                column.load(count.min(GROUP), |n, value| register[n % GROUP] = value);
            }
        }
        if !skin.run(group, count, self.constants) {
            return false;
        }
        self.write_skinned(first, part, group, clip);
        true
    }

    fn write_skinned(
        &self,
        first: usize,
        part: &mut [u8],
        group: &SkinGroup,
        clip: &mut ClipStatus,
    ) {
        self.write(first, part, clip, |place, f| {
            if let Some(vectors) = group.output(place) {
                f(Values::Vectors(vectors));
            }
        });
    }

    /// Runs the fixed function for one group.
    fn fixed(
        &self,
        first: usize,
        part: &mut [u8],
        vertices: &mut Vec<Vertex>,
        fixed: &Fixed,
        clip: &mut ClipStatus,
    ) {
        vertices.clear();
        vertices.resize(part.len() / self.stride, Vertex::default());
        for feed in self.inputs {
            if let Target::Slot(slot) = feed.to {
                fixed::fill(vertices, slot, feed.element.from(first));
            }
        }
        let outputs = fixed.run(vertices);
        self.write(first, part, clip, |place, f| {
            f(Values::Lanes(&outputs[place]));
        });
    }

    /// Writes the fields of one group; `output` hands over the register of a place.
    fn write(
        &self,
        first: usize,
        part: &mut [u8],
        clip: &mut ClipStatus,
        output: impl Fn(usize, &mut dyn FnMut(Values<'_>)),
    ) {
        let count = part.len() / self.stride;
        for (field, copied) in self.fields.iter().zip(self.copied) {
            let mut to = Some(ColumnMut {
                bytes: &mut part[field.offset..],
                stride: self.stride,
                ty: field.ty,
            });
            match (&field.origin, copied.map(|column| column.from(first))) {
                (Origin::Made(made), _) => output(made.place.into(), &mut |values| {
                    if let Some(to) = to.take() {
                        values.store(to, count, made.mask, made.first.into());
                    }
                }),
                (Origin::Screen(made), _) => output(made.place.into(), &mut |values| {
                    if let Some(to) = to.take() {
                        to.store(count, 0xF, |n| self.viewport.pixels(values.get(n)));
                    }
                }),
                (Origin::Source(_), Some(column)) => {
                    if let Some(to) = to.take() {
                        copy(to, count, column);
                    }
                }
                (Origin::Source(_), None) => {}
            }
        }
        if let Some(position) = self.position {
            output(position.place.into(), &mut |values| match values {
                Values::Vectors(vectors) => clip.add_all(&vectors[..count.min(GROUP)]),
                Values::Lanes(_) => {
                    for vertex in 0..count {
                        clip.add(values.get(vertex));
                    }
                }
            });
        }
    }
}

/// Copies an element of the source, converted where the types differ.
fn copy(to: ColumnMut<'_>, count: usize, column: Column<'_>) {
    if column.ty == to.ty {
        to.copy(count, column);
        return;
    }
    let mut values = [[0.0; 4]; GROUP];
    column.load(count.min(GROUP), |n, value| values[n] = value);
    to.store(count, 0xF, |n| values[n % GROUP]);
}
