package words

import (
	"hash/maphash"
	"strings"
)

// Cache remembers what was read from chains. A chain that gets the place of another one takes it, so that the number of
// places is limited: few chains make up most of any text, and those come back at once. A map of as many chains takes
// several times as long. It must not be used by several goroutines at once.
type Cache[T any] struct {
	seed   maphash.Seed
	places []place[T] // a power of two
	max    int
	used   int
}

type place[T any] struct {
	chain string // never empty where something is remembered
	value T
}

// NewCache returns a cache that grows to so many places, or a few more.
func NewCache[T any](most int) *Cache[T] {
	const first = 1 << 8
	return &Cache[T]{seed: maphash.MakeSeed(), places: make([]place[T], first), max: most}
}

func (c *Cache[T]) findPlace(chain string) *place[T] {
	return &c.places[maphash.String(c.seed, chain)&uint64(len(c.places)-1)]
}

// Get returns what is remembered of a chain, false if nothing is.
func (c *Cache[T]) Get(chain string) (value T, ok bool) {
	if p := c.findPlace(chain); p.chain == chain && chain != "" {
		return p.value, true
	}
	return value, false
}

// Put remembers a value of a chain, which it copies. Chains of more than MaxBytes bytes are not remembered.
func (c *Cache[T]) Put(chain string, value T) {
	if chain == "" || len(chain) > MaxBytes {
		return
	}
	// The table begins small, because many caches serve a few words only.
	if 2*c.used >= len(c.places) && len(c.places) < c.max {
		c.grow()
	}
	c.set(strings.Clone(chain), value)
}

func (c *Cache[T]) set(chain string, value T) {
	// A chain takes the place of another one: common chains come back at once.
	p := c.findPlace(chain)
	if p.chain == "" {
		c.used++
	}
	p.chain, p.value = chain, value
}

func (c *Cache[T]) grow() {
	before := c.places
	c.places, c.used = make([]place[T], 2*len(before)), 0
	for _, p := range before {
		if p.chain != "" {
			c.set(p.chain, p.value)
		}
	}
}

// Len returns of how many chains something is remembered.
func (c *Cache[T]) Len() int { return c.used }

// Clear forgets everything.
func (c *Cache[T]) Clear() {
	clear(c.places)
	c.used = 0
}
