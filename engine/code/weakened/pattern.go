package weakened

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: most runs of chant need none, and a function for
// each would allocate at every start.
type pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}
