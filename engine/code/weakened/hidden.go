package weakened

import (
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
)

// rebinds matches a line that gives the names of functions to something else, or to nothing: what follows del, what is left of
// equals signs, and what Ruby removes.
var rebinds = pattern{text: `(?m)^[ \t]*(?:del[ \t]+([\w, \t]+)|((?:\w+[ \t]*=[ \t]*)+)(?:[^=\s].*)?)$|\bremove_method\W+(\w+)`}

// compareHidden finds tests that a file still has, and whose name is something else afterwards.
func (f *finder) compareHidden(old, now *source) {
	if !now.isTest || now.lang != "python" && now.lang != "ruby" || old.text == now.text {
		return
	}
	had, has := functionsByName(old), functionsByName(now)
	rebound := reboundNames(now)
	for key := range reboundNames(old) {
		delete(rebound, key)
	}
	for _, u := range now.units {
		was, is := had[u.name], has[u.name]
		if len(was) == 0 || !was[0].test || len(is) == 0 || is[0].start != u.start {
			continue
		}
		at := u.start + lead(u.codeOf())
		if len(is) > len(was) {
			other := is[len(is)-1]
			f.add(criteria.TestRemoved, now, other.start+lead(other.codeOf()), headline(was[0]), "another "+lastName(u.name))
			continue
		}
		for _, key := range []string{indentation(now.text, at) + lastName(u.name), anywhere + lastName(u.name)} {
			if place, found := rebound[key]; found {
				f.add(criteria.TestRemoved, now, place, headline(u), lineOf(now.code, place))
				break
			}
		}
	}
}

// functionsByName returns the functions of a file by name. Examples of RSpec may have the same description.
func functionsByName(s *source) map[string][]unit {
	out := map[string][]unit{}
	for _, u := range s.units {
		if s.lang == "python" || strings.HasPrefix(strings.TrimSpace(u.codeOf()), "def ") {
			out[u.name] = append(out[u.name], u)
		}
	}
	return out
}

// anywhere is before a name that Ruby removes, whatever its indentation.
const anywhere = "*"

// reboundNames returns the bytes of the lines that give names to something else, by the indentation and the name.
func reboundNames(s *source) map[string]int {
	out := map[string]int{}
	for _, m := range rebinds.get().FindAllStringSubmatchIndex(s.bare, -1) {
		at := m[0] + lead(s.bare[m[0]:])
		indent := indentation(s.text, at)
		for i := 2; i < len(m); i += 2 {
			if m[i] < 0 {
				continue
			}
			if i == 6 {
				indent = anywhere
			}
			for _, name := range strings.FieldsFunc(s.bare[m[i]:m[i+1]], func(r rune) bool { return strings.ContainsRune(", \t=", r) }) {
				if _, known := out[indent+name]; !known {
					out[indent+name] = at
				}
			}
		}
	}
	return out
}

// indentation is the layout at the beginning of the line of a byte.
func indentation(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// These patterns match code that catches a failed assertion and ignores it, by language.
var (
	swallowed       = pattern{text: `(?m)^[ \t]*except(?:\s*:|\s*\(?[^:\n]*\b(?:AssertionError|Exception|BaseException)\b[^:\n]*:)\s*(?:pass|return|continue|\.\.\.)|\bsuppress\s*\([^)\n]*\b(?:AssertionError|Exception|BaseException)\b`}
	swallowedScript = pattern{text: `\bcatch\s*(?:\(\s*\w*\s*\))?\s*\{\s*\}|\.catch\(\s*\(\s*\w*\s*\)\s*=>\s*\{\s*\}\s*\)`}
	swallowedRuby   = pattern{text: `\brescue\s+(?:Exception|Minitest::Assertion|RSpec::Expectations\S*)[^\n]*\n\s*(?:nil\s*\n\s*)?end\b`}
)

// swallows returns where a test catches its failed assertions. A clean-up that may fail has none.
func swallows(u unit) [][]int {
	bare := u.bareOf()
	var re *pattern
	var guarded func(bare string, m []int) string
	switch u.file.lang {
	case "python":
		re, guarded = &swallowed, guardedPython
	case "javascript", "typescript", "tsx":
		re, guarded = &swallowedScript, guardedScript
	case "ruby":
		re, guarded = &swallowedRuby, func(bare string, m []int) string {
			return bare[max(strings.LastIndex(bare[:m[0]], "begin"), 0):m[0]]
		}
	default:
		return nil
	}
	return slices.DeleteFunc(re.get().FindAllStringIndex(bare, -1), func(m []int) bool {
		return !asserts()[u.file.lang].MatchString(guarded(bare, m))
	})
}

// guardedPython returns the code whose errors a line ignores: the block between try and except, or that of with.
func guardedPython(bare string, m []int) string {
	at := m[0] + lead(bare[m[0]:])
	indent := len(indentation(bare, at))
	if !strings.HasPrefix(bare[at:], "except") {
		head, block, _ := strings.Cut(bare[m[1]:], "\n")
		end := 0
		for raw := range strings.Lines(block) {
			if trimmed := strings.TrimLeft(raw, " \t"); strings.TrimSpace(raw) != "" && len(raw)-len(trimmed) <= indent {
				break
			}
			end += len(raw)
		}
		return head + "\n" + block[:end]
	}
	lines := strings.SplitAfter(bare[:at-indent], "\n")
	for i, raw := range slices.Backward(lines) {
		if trimmed := strings.TrimLeft(raw, " \t"); strings.HasPrefix(trimmed, "try") && len(raw)-len(trimmed) == indent {
			return strings.Join(lines[i:], "")
		}
	}
	return ""
}

// guardedScript returns the code whose errors a catch ignores: the block of try, or the chain of calls before it.
func guardedScript(bare string, m []int) string {
	isChain := bare[m[0]] == '.'
	depth := 0
	for i := m[0] - 1; i >= 0; i-- {
		switch c := bare[i]; {
		case c == ')' || c == ']' || c == '}':
			depth++
		case c == '(' || c == '[' || c == '{':
			if depth--; depth < 0 || depth == 0 && !isChain {
				return bare[i+1 : m[0]]
			}
		case isChain && depth == 0 && (c == ';' || c == '\n' && !strings.HasPrefix(strings.TrimLeft(bare[i:], " \t\r\n"), ".")):
			return bare[i:m[0]]
		}
	}
	return bare[:m[0]]
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
