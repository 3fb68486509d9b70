#![allow(dead_code)]
//! A crate
//! of constructs.

use std::{fmt::{self, Display, Write as _}, io::{BufRead, prelude::*}};
use super::*;
pub use self::inner::Deep as Renamed;
extern crate serde as s;

mod elsewhere;
pub(crate) mod inner {
    //! Inner documentation.
    use super::Unit;
    pub struct Deep;
    pub mod deeper { pub fn down() { super::up() } }
    fn up() {}
}

/// A unit.
#[derive(Debug)]
#[repr(C)]
pub struct Unit;
pub struct Tuple(pub u32, String);
pub struct Generic<'a, T: ?Sized + 'a, const N: usize> where T: Display { data: &'a T, list: [u8; N] }

#[repr(C)]
pub union Bits { f: f32, u: u32 }

pub enum Shape { Circle(f64), Square { side: f64 }, Empty = 3 }

pub const fn square(x: u32) -> u32 { x * x }
const TABLE: [u8; 3] = [1, 2, 3];
static mut COUNTER: u64 = 0;
pub type Result<T> = std::result::Result<T, Error>;

unsafe trait Dangerous {}
pub trait Iter<'a>: Display + for<'b> Fn(&'b str) where Self: Sized {
    const LIMIT: usize = 10;
    type Item: Clone;
    fn next(&mut self) -> Option<Self::Item>;
    fn size(&self) -> usize { count(self) }
}

impl<'a, T, const N: usize> Generic<'a, T, N> where T: Display {
    pub(crate) unsafe fn raw(&self) -> *const u8 { std::ptr::null() }
    async fn wait(self: Box<Self>) -> Result<()> { self.poll().await?; Ok(()) }
    pub fn build() -> Self { Self::raw_parts::<u8>(); Generic { data: make!(), list: [0; N] } }
}

impl<T> fmt::Display for Box<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", render(self)) }
}
impl<T: Display> Iter<'_> for [T] { }
unsafe impl Send for Unit {}
impl !Sync for Unit {}
impl<'a> From<&'a str> for Unit { fn from(_: &'a str) -> Self { Unit } }
impl dyn Iter<'static> { fn boxed() {} }

extern "C" {
    /// Comes from C.
    pub fn c_function(x: i32, ...) -> i32;
    static GLOBAL: i32;
}

#[no_mangle]
pub extern "C" fn exported() { c_function(1); }

/// Makes it.
#[macro_export]
macro_rules! make {
    () => { Default::default() };
    ($($x:tt)*) => { compile!($($x)*) };
}

make! { fn generated() {} }
thread_local! { static KEY: u32 = 1; }

pub fn closures() -> impl Fn(u32) -> u32 {
    fn local() { helper() }
    let add = |a: u32| -> u32 { plus(a) };
    match add(1) { 1 => local(), _ => panic!("no") }
    let Some(x) = find() else { return move |y| y };
    if let Shape::Circle(r) = shape() { area(r); }
    <Unit as Dangerous>::call();
    r#"raw"#.len();
    add
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn async_test() { assert!(closures()(1) == 2); }
}
