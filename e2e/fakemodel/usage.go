package fakemodel

// bytesPerToken is the usual rule of thumb for English and code.
const bytesPerToken = 4

// Usage is the usage that an answer reports, in tokens. Input holds neither what was
// read from a cache nor what was written to one, whatever the API calls input.
type Usage struct {
	Input       int `json:"input"`
	CachedInput int `json:"cached_input"`
	CacheWrites int `json:"cache_write"`
	Output      int `json:"output"`
}

// Plus is the sum of both.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.Input + o.Input, u.CachedInput + o.CachedInput, u.CacheWrites + o.CacheWrites, u.Output + o.Output}
}

// caching is how much an API reports of its cache.
type caching int

const (
	noCache    caching = iota
	cacheReads         // what was written counts as plain input
	cacheBoth
)

// measure gives usage as a growing conversation has it: the first request fills
// the cache, later ones read most of what they send from it. Size is that of the
// answer, in bytes.
func measure(r Request, size int, told caching) Usage {
	sent := len(r.Body)/bytesPerToken + 1
	fresh := sent/8 + 1
	u := Usage{Input: fresh, Output: size/bytesPerToken + 1}
	switch rest := max(sent-fresh, 0); {
	case told != noCache && len(r.Results) > 0:
		u.CachedInput = rest
	case told == cacheBoth:
		u.CacheWrites = rest
	default:
		u.Input += rest
	}
	return u
}
