//! A crate of stores.

use std::collections::HashMap;
use crate::{io, net::Peer};

/// How much is kept.
pub const LIMIT: usize = 10;
static COUNT: u32 = 0;

/// A store.
///
/// It is kept in memory.
#[derive(Debug, Clone)]
pub struct Store<T: Clone> {
    rows: HashMap<String, T>,
}

pub enum State {
    Open(Peer),
    Closed { code: i32 },
}

/// Things that can be read.
pub trait Read: Send + Sync {
    type Item;
    fn read(&self) -> Option<Self::Item>;
    /// Reads all.
    fn all(&self) -> Vec<Self::Item> { collect(self.read()) }
}

impl<T: Clone> Store<T> {
    const SIZE: usize = 1;

    /// Makes a store.
    #[inline]
    pub fn new() -> Self {
        Self { rows: HashMap::new() }
    }

    fn get(&self, key: &str) -> Option<&T> {
        self.check(key);
        self.rows.get(key)
    }
}

impl<T: Clone> Read for Store<T> {
    type Item = T;
    fn read(&self) -> Option<T> { None }
}

mod inner {
    pub fn deep() -> State { State::Open(io::peer()) }
}

macro_rules! row {
    ($x:expr) => { Row::new($x) };
}

pub async fn run<F>(f: F) -> io::Result<()>
where
    F: Fn() -> u32,
{
    println!("{}", f());
    parse::<u32>("1").unwrap();
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn works() {
        assert_eq!(super::run(), Ok(()));
    }
}

type Alias = Store<u8>;
