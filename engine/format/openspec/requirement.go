package openspec

import (
	"strings"
)

// scenario is an example of how a requirement is met. Every heading of the fourth level
// below a requirement opens one; it counts only if something follows it.
type scenario struct {
	name string
	line int
	text string
}

// block is a requirement with all lines up to the next one, as the merge moves it.
type block struct {
	name string
	// key is what the name is compared by. It differs from it only after two runs of number
	// signs.
	key  string
	line int // from 0
	body page
	raw  string
}

// blocksOf finds the requirements among the lines from, to. What precedes the first one, or
// follows a heading of the second level, belongs to none.
func blocksOf(p page, from, to int) []*block {
	var blocks []*block
	for i := from; i < to; {
		name, ok := p[i].requirement()
		if !ok {
			i++
			continue
		}
		end := i + 1
		for end < to && p[end].level != 2 {
			if _, next := p[end].requirement(); next {
				break
			}
			end++
		}
		blocks = append(blocks, &block{name: name, key: plainName(name), line: i, body: p[i+1 : end], raw: TrimRight(p[i:end].text())})
		i = end
	}
	return blocks
}

// requirement returns the name in a heading "### Requirement: Name". The blank after the
// number signs may be missing, and a name of blanks is an empty one.
func (l line) requirement() (name string, ok bool) {
	if l.fenced {
		return "", false
	}
	rest, ok := strings.CutPrefix(l.text, "###")
	if !ok {
		return "", false
	}
	if rest, ok = CutFold(TrimLeft(rest), "Requirement:"); !ok || rest == "" {
		return "", false
	}
	return plainName(rest), true
}

// plainName is a name without the number signs that may close a heading and the blanks
// around it.
func plainName(name string) string { return Trim(cutClosing(name)) }

// cutClosing removes number signs at the end of a heading if a space or tab precedes them.
func cutClosing(s string) string {
	t := strings.TrimRight(s, " \t")
	u := strings.TrimRight(t, "#")
	v := strings.TrimRight(u, " \t")
	// Number signs close a heading only behind a blank: "C#" is a name.
	if len(u) == len(t) || len(v) == len(u) {
		return s
	}
	return v
}

// foldName folds a name: two different names with the same folded form are spellings of one name.
func foldName(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(plainName(name)) {
		if IsBlank(r) {
			gap = true
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// statement reads what a requirement states from the lines below its heading.
func statement(body page) string {
	var said, metadata []string
	for _, l := range body {
		if l.fenced {
			continue
		}
		if l.level > 0 {
			break
		}
		t := Trim(l.text)
		switch {
		case t == "":
		case isMetadata(t):
			metadata = append(metadata, t)
		default:
			said = append(said, t)
		}
	}
	// A requirement that has nothing but metadata states that.
	if len(said) == 0 {
		said = metadata
	}
	return strings.Join(said, "\n")
}

// isMetadata recognises "**Key**: value".
func isMetadata(text string) bool {
	rest, ok := strings.CutPrefix(text, "**")
	if !ok {
		return false
	}
	key := strings.IndexByte(rest, '*')
	return key > 0 && strings.HasPrefix(rest[key:], "**:")
}

// hasObligation reports whether a text has the word SHALL or MUST.
func hasObligation(text string) bool {
	for _, word := range []string{"SHALL", "MUST"} {
		for rest, offset := text, 0; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			start, end := offset+i, offset+i+len(word)
			if (start == 0 || !wordByte(text[start-1])) && (end == len(text) || !wordByte(text[end])) {
				return true
			}
			rest, offset = text[end:], end
		}
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// scenariosOf finds the scenarios in the lines below the heading of a requirement, the empty
// ones too. Before is the number of lines above those.
func scenariosOf(body page, before int) []scenario {
	var found []scenario
	for i, l := range body {
		if l.level != 4 {
			continue
		}
		found = append(found, scenario{name: scenarioName(l.text), line: before + i + 1, text: Trim(body.sectionAt(i).text())})
	}
	return found
}

// nonEmpty leaves out scenarios that consist of a heading only.
func nonEmpty(scenarios []scenario) []scenario {
	var kept []scenario
	for _, s := range scenarios {
		if s.text != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// scenarioName is the name in a heading of the fourth level, with or without "Scenario:".
func scenarioName(heading string) string {
	name := cutClosing(TrimLeft(strings.TrimLeft(heading, "#")))
	if rest, ok := CutFold(name, "Scenario:"); ok {
		name = rest
	}
	return Trim(name)
}
