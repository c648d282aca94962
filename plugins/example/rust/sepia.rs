// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

//! A stage in Rust, without crates: tones a picture brown, as old prints are. The types below are
//! those of millrace_plugin.h, version 1.0, as far as this plugin uses them.

#![allow(non_camel_case_types)]

use std::ffi::c_void;
use std::os::raw::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;
use std::sync::atomic::{AtomicPtr, Ordering};

type mr_result = i32;
const MR_OK: mr_result = 0;
const MR_FATAL: mr_result = 6;
const MR_IMAGE: u32 = 2;

enum mr_item {}
enum mr_payload {}
enum mr_options {}
enum mr_listing {}

#[repr(C)]
struct mr_image {
    struct_size: u32,
    width: u32,
    height: u32,
    channels: u32,
    depth: u32,
    orientation: u32,
    stride: usize,
    pixels: *const c_void,
    writable: *mut c_void,
    dpi_x: f64,
    dpi_y: f64,
    full_width: u32,
    full_height: u32,
    icc: *const c_void,
    icc_size: usize,
    format: *const c_char,
}

/// A function of the host that is not called here.
type unused = *const c_void;

#[repr(C)]
pub struct mr_host {
    struct_size: u32,
    abi_major: u32,
    abi_minor: u32,
    version: *const c_char,
    log: unused,
    set_error: extern "C" fn(*const c_char),
    extension: unused,
    option_integer: unused,
    option_number: extern "C" fn(*const mr_options, *const c_char, *mut f64) -> mr_result,
    option_boolean: unused,
    option_text: unused,
    option_list: unused,
    options_json: unused,
    item_attribute: unused,
    item_page: unused,
    cancelled: unused,
    progress: unused,
    warn: unused,
    emit: extern "C" fn(*mut mr_item, *mut mr_payload, u32) -> mr_result,
    scratch: unused,
    parallel_for: unused,
    payload_kind: unused,
    retain: unused,
    release: unused,
    image_view: extern "C" fn(*const mr_payload, *mut mr_image) -> mr_result,
    image_new:
        extern "C" fn(*mut mr_item, *mut mr_image, *mut *mut mr_payload) -> mr_result,
    // What follows is not used.
}

#[repr(C)]
pub struct mr_stage {
    struct_size: u32,
    name: *const c_char,
    summary: *const c_char,
    role: i32,
    takes: u32,
    gives: u32,
    mode: i32,
    load: i32,
    flags: u32,
    options: *const c_char,
    user: *mut c_void,
    check: Option<extern "C" fn(*mut c_void, *const mr_options) -> mr_result>,
    create: Option<extern "C" fn(*mut c_void, *const mr_options, *mut *mut c_void) -> mr_result>,
    destroy: Option<extern "C" fn(*mut c_void)>,
    worker_create: Option<extern "C" fn(*mut c_void, *mut *mut c_void) -> mr_result>,
    worker_destroy: Option<extern "C" fn(*mut c_void, *mut c_void)>,
    process: Option<
        extern "C" fn(*mut c_void, *mut c_void, *mut mr_item, *mut mr_payload) -> mr_result,
    >,
    list: Option<extern "C" fn(*mut c_void, *mut mr_listing) -> mr_result>,
    open: Option<extern "C" fn(*mut c_void, *mut c_void, *mut mr_item) -> mr_result>,
}

#[repr(C)]
pub struct mr_plugin {
    struct_size: u32,
    abi_major: u32,
    abi_minor: u32,
    name: *const c_char,
    version: *const c_char,
    stage_count: u32,
    stages: *const *const mr_stage,
    extension: Option<extern "C" fn(*const c_char, u32) -> *const c_void>,
}

/// Constants that hold pointers to constants, which any thread may read.
#[repr(transparent)]
struct Constant<T>(T);
unsafe impl<T> Sync for Constant<T> {}

static HOST: AtomicPtr<mr_host> = AtomicPtr::new(std::ptr::null_mut());

fn host() -> &'static mr_host {
    // Set once, before any other function of the plugin is called; the host never takes it away.
    unsafe { &*HOST.load(Ordering::Acquire) }
}

/// No panic may cross the border.
fn guarded(work: impl FnOnce() -> mr_result) -> mr_result {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        (host().set_error)(b"sepia panicked\0".as_ptr().cast());
        MR_FATAL
    })
}

struct Sepia {
    strength: f64,
}

extern "C" fn create(
    _user: *mut c_void,
    options: *const mr_options,
    instance: *mut *mut c_void,
) -> mr_result {
    guarded(|| {
        let mut percent = 100.0;
        let result =
            (host().option_number)(options, b"strength\0".as_ptr().cast(), &mut percent);
        let made = Box::new(Sepia { strength: percent / 100.0 });
        unsafe { *instance = Box::into_raw(made).cast() };
        result
    })
}

extern "C" fn destroy(instance: *mut c_void) {
    guarded(|| {
        drop(unsafe { Box::from_raw(instance.cast::<Sepia>()) });
        MR_OK
    });
}

/// A sample of 8 or 16 bits.
trait Sample: Copy {
    const MOST: f64;
    fn to(self) -> f64;
    fn of(value: f64) -> Self;
}
impl Sample for u8 {
    const MOST: f64 = 255.0;
    fn to(self) -> f64 {
        self.into()
    }
    fn of(value: f64) -> Self {
        (value + 0.5) as u8
    }
}
impl Sample for u16 {
    const MOST: f64 = 65535.0;
    fn to(self) -> f64 {
        self.into()
    }
    fn of(value: f64) -> Self {
        (value + 0.5) as u16
    }
}

/// The tones of a gray pixel as blue, green and red, and how gray comes from those (ITU-R BT.601).
const TONES: [f64; 3] = [0.78, 0.94, 1.07];
const LUMA: [f64; 3] = [0.114, 0.587, 0.299];

fn tone_row<S: Sample>(strength: f64, from: &[S], channels: usize, to: &mut [S], made: usize) {
    for (old, new) in from.chunks_exact(channels).zip(to.chunks_exact_mut(made)) {
        let colour = |i: usize| old[if channels == 1 { 0 } else { i }].to();
        let gray: f64 = (0..3).map(|i| LUMA[i] * colour(i)).sum();
        for i in 0..3 {
            let toned = (gray * TONES[i]).min(S::MOST);
            new[i] = S::of(colour(i) + (toned - colour(i)) * strength);
        }
        if channels == 4 {
            new[3] = old[3];
        }
    }
}

unsafe fn tone<S: Sample>(strength: f64, from: &mr_image, to: &mr_image) {
    let (old, new) = (from.channels as usize, to.channels as usize);
    for y in 0..from.height as usize {
        let read = from.pixels.cast::<u8>().add(y * from.stride).cast::<S>();
        let write = to.writable.cast::<u8>().add(y * to.stride).cast::<S>();
        let width = from.width as usize;
        tone_row(
            strength,
            std::slice::from_raw_parts(read, width * old),
            old,
            std::slice::from_raw_parts_mut(write, width * new),
            new,
        );
    }
}

extern "C" fn process(
    instance: *mut c_void,
    _worker: *mut c_void,
    item: *mut mr_item,
    input: *mut mr_payload,
) -> mr_result {
    guarded(|| {
        let sepia = unsafe { &*instance.cast::<Sepia>() };
        let mut from: mr_image = unsafe { std::mem::zeroed() };
        from.struct_size = std::mem::size_of::<mr_image>() as u32;
        let result = (host().image_view)(input, &mut from);
        if result != MR_OK {
            return result;
        }
        // Like the one that it is made from, but for a gray picture, which gets its colour here.
        let mut to = mr_image { ..unsafe { std::ptr::read(&from) } };
        if from.channels == 1 {
            to.channels = 3;
            to.icc = null();
            to.icc_size = 0;
        }
        let mut output = std::ptr::null_mut();
        let result = (host().image_new)(item, &mut to, &mut output);
        if result != MR_OK {
            return result;
        }
        match from.depth {
            16 => unsafe { tone::<u16>(sepia.strength, &from, &to) },
            _ => unsafe { tone::<u8>(sepia.strength, &from, &to) },
        }
        (host().emit)(item, output, 0)
    })
}

const OPTIONS: &[u8] = br#"{"type": "object", "properties": {
  "strength": {"type": "number", "default": 100, "minimum": 0, "maximum": 100, "unit": "percent",
               "description": "How much of the picture's own colour gives way."}
}}"#;

// With the 0 that ends a text in C.
static OPTIONS_TEXT: [u8; OPTIONS.len() + 1] = {
    let mut text = [0; OPTIONS.len() + 1];
    let mut i = 0;
    while i < OPTIONS.len() {
        text[i] = OPTIONS[i];
        i += 1;
    }
    text
};

static STAGE: Constant<mr_stage> = Constant(mr_stage {
    struct_size: std::mem::size_of::<mr_stage>() as u32,
    name: b"sepia\0".as_ptr() as *const c_char,
    summary: b"Tone a picture brown, as old prints are.\0".as_ptr() as *const c_char,
    role: 0,
    takes: MR_IMAGE,
    gives: MR_IMAGE,
    mode: 0,
    load: 0,
    flags: 0,
    options: &OPTIONS_TEXT as *const [u8] as *const c_char,
    user: std::ptr::null_mut(),
    check: None,
    create: Some(create),
    destroy: Some(destroy),
    worker_create: None,
    worker_destroy: None,
    process: Some(process),
    list: None,
    open: None,
});

static STAGES: Constant<[*const mr_stage; 1]> = Constant([&STAGE.0]);

static PLUGIN: Constant<mr_plugin> = Constant(mr_plugin {
    struct_size: std::mem::size_of::<mr_plugin>() as u32,
    abi_major: 1,
    abi_minor: 0,
    name: b"sepia\0".as_ptr() as *const c_char,
    version: b"1.0\0".as_ptr() as *const c_char,
    stage_count: 1,
    stages: &STAGES.0 as *const [*const mr_stage; 1] as *const *const mr_stage,
    extension: None,
});

/// The plugin's entry.
///
/// # Safety
/// `from` is the host's table, which lasts as long as the process.
#[no_mangle]
pub unsafe extern "C" fn millrace_plugin_v1(from: *const mr_host) -> *const mr_plugin {
    HOST.store(from as *mut mr_host, Ordering::Release);
    &PLUGIN.0
}
