package activity

import (
	"slices"
	"strings"
	"time"
)

// Filter selects entries. The zero Filter selects all.
type Filter struct {
	Since, Until time.Time // both included; zero for no limit
	By           string    // a part of the name or mail of the author, in any case
	Specs        []string  // only these ids, and members of them
}

// Match reports whether an entry is selected.
func (f Filter) Match(e Entry) bool {
	switch {
	case !f.Since.IsZero() && e.At.Before(f.Since), !f.Until.IsZero() && e.At.After(f.Until):
		return false
	case f.By != "" && !contains(e.By, f.By) && !contains(e.Mail, f.By) && !contains(e.Agent, f.By):
		return false
	case len(f.Specs) > 0 && !slices.ContainsFunc(f.Specs, func(id string) bool { return e.Spec == id || strings.HasPrefix(e.Spec, id+".") }):
		return false
	}
	return true
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// Collector takes entries, newest first, until it has enough.
type Collector struct {
	Filter
	Most    int // entries, 0 for all
	Entries []Entry
	More    bool // there are further entries
}

// Take adds the selected entries of a commit and reports whether it could take more.
func (c *Collector) Take(entries []Entry) bool {
	for _, e := range entries {
		if !c.Match(e) {
			continue
		}
		if c.Most > 0 && len(c.Entries) == c.Most {
			c.More = true
			return false
		}
		c.Entries = append(c.Entries, e)
	}
	return true
}
