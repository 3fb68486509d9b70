package weakened

import (
	"regexp"
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
)

// compareHidden finds tests that a file still has, and whose name is something else afterwards.
func (f *finder) compareHidden(old, now *source) {
	if !now.isTest || now.lang != "python" && now.lang != "ruby" {
		return
	}
	defined := func(s *source, name string) (list []unit) {
		for _, u := range s.units {
			if u.name == name {
				list = append(list, u)
			}
		}
		return list
	}
	for i, u := range now.units {
		was := defined(old, u.name)
		if len(was) == 0 || !was[0].test || slices.ContainsFunc(now.units[:i], func(o unit) bool { return o.name == u.name }) {
			continue
		}
		if is := defined(now, u.name); len(is) > len(was) {
			f.add(criteria.TestRemoved, now, is[len(is)-1].start+lead(is[len(is)-1].codeOf()), headline(was[0]), "another "+lastName(u.name))
			continue
		}
		name := regexp.QuoteMeta(lastName(u.name))
		unset := regexp.MustCompile(`(?m)^[ \t]*(?:del\s+(?:\w+\s*,\s*)*` + name + `\b|(?:\w+\s*=\s*)*` + name + `\s*=[^=]).*$|\bremove_method\W+` + name + `\b`)
		if at := unset.FindStringIndex(now.bare); at != nil && !unset.MatchString(old.bare) {
			f.add(criteria.TestRemoved, now, at[0]+lead(now.bare[at[0]:]), headline(u), lineOf(now.code, at[0]+lead(now.bare[at[0]:])))
		}
	}
}

// swallowed match what catches a failed assertion and does nothing about it.
var (
	swallowed       = pattern{text: `(?m)^[ \t]*except(?:\s*:|\s*\(?[^:\n]*\b(?:AssertionError|Exception|BaseException)\b[^:\n]*:)\s*(?:pass|return|continue|\.\.\.)|\bsuppress\s*\([^)\n]*\b(?:AssertionError|Exception|BaseException)\b`}
	swallowedScript = pattern{text: `\bcatch\s*(?:\(\s*\w*\s*\))?\s*\{\s*\}|\.catch\(\s*\(\s*\w*\s*\)\s*=>\s*\{\s*\}\s*\)`}
	swallowedRuby   = pattern{text: `\brescue\s+(?:Exception|Minitest::Assertion|RSpec::Expectations\S*)[^\n]*\n\s*(?:nil\s*\n\s*)?end\b`}
)

// swallows returns where a test catches its failed assertions, and how often.
func swallows(u unit) [][]int {
	switch u.file.lang {
	case "python":
		return swallowed.get().FindAllStringIndex(u.bareOf(), -1)
	case "javascript", "typescript", "tsx":
		return swallowedScript.get().FindAllStringIndex(u.bareOf(), -1)
	case "ruby":
		return swallowedRuby.get().FindAllStringIndex(u.bareOf(), -1)
	}
	return nil
}

// bareReturn matches a line that leaves a function without a result.
var bareReturn = pattern{text: `^return(?:\s+(?:None|null|nil|undefined|true|True))?;?$`}

// endsAt returns the byte of a unit at which it returns on the level of its body, before its last assertion; -1 for none.
func endsAt(u unit) int {
	if len(u.asserts) == 0 {
		return -1
	}
	last := u.asserts[len(u.asserts)-1].at - u.start
	level, at := -1, 0
	for i, raw := range slices.Collect(strings.Lines(u.bareOf())) {
		trimmed := strings.TrimSpace(raw)
		indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
		if i > 0 && trimmed != "" && level < 0 {
			level = indent
		}
		if i > 0 && indent == level && at < last && bareReturn.get().MatchString(trimmed) {
			return at + indent
		}
		at += len(raw)
	}
	return -1
}

// compareReached finds assertions that a test still has, and that are no longer reached, or whose failure does not count.
func (f *finder) compareReached(u, v unit) {
	if !u.test {
		return
	}
	if at := endsAt(v); at >= 0 && endsAt(u) < 0 {
		f.add(criteria.TestSkipped, v.file, v.start+at, "", lineOf(v.file.code, v.start+at))
	}
	if was, is := swallows(u), swallows(v); len(is) > len(was) && len(u.asserts) > 0 {
		at := v.start + is[len(is)-1][0] + lead(v.bareOf()[is[len(is)-1][0]:])
		f.add(criteria.AssertionRemoved, v.file, at, "", lineOf(v.file.code, at))
	}
}
