package providers

import (
	"math"
	"strconv"
)

// Count is a number of tokens or turns in foreign JSON: a whole number from 0, in any
// notation. Any other value makes it Odd without an error, so that the rest can still be
// read. A missing value, or null, is 0.
type Count struct {
	N   int
	Odd bool // the number is unknown
}

// UnmarshalJSON implements json.Unmarshaler; it takes everything.
func (c *Count) UnmarshalJSON(src []byte) error {
	text := string(src)
	if text == "null" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f < 0 || f != math.Trunc(f) || math.IsInf(f, 0) {
		*c = Count{Odd: true}
		// An odd count is known to be one.
		return nil //nolint:nilerr
	}
	// A number beyond this would overflow in a sum.
	*c = Count{N: int(min(f, maxTokens))}
	return nil
}

// Usage is the usage by counts, nil when one of them is odd: a sum without it would
// be too low.
func (c Counts) Usage() *Usage {
	if c.Input.Odd || c.CachedInput.Odd || c.CacheWrites.Odd || c.Output.Odd {
		return nil
	}
	return &Usage{Input: c.Input.N, CachedInput: c.CachedInput.N, CacheWrites: c.CacheWrites.N, Output: c.Output.N}
}

// Counts are those of a usage, as reported.
type Counts struct{ Input, CachedInput, CacheWrites, Output Count }
