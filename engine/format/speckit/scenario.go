package speckit

import (
	"regexp"
	"strings"
	"sync"
)

// stepPatterns are the expressions for scenarios.
var stepPatterns = sync.OnceValue(func() (p struct{ step, label, acceptance, word *regexp.Regexp }) {
	p.step = regexp.MustCompile(`(?i)^[*_>\s]*(?:(?:acceptance\s+)?scenario\s*[0-9]*\s*[:.–—-][^:]*?[*_\s]+)?(given|when|then|and|but)\b`)
	p.label = regexp.MustCompile(`^[*_]{2}[^*_]+[*_]{2}\s*:|^[*_]{2}[^*_]+:[*_]{2}`)
	p.acceptance = regexp.MustCompile(`(?i)^[*_\s]*acceptance\s+(?:scenarios?|criteria)\b`)
	p.word = regexp.MustCompile(`(?i)\b(?:when|then)\b`)
	return p
})

// scenarios collects the scenarios of a story from its blocks.
type scenarios struct {
	all        []Scenario
	acceptance bool // below "Acceptance Scenarios"
	open       bool // whether the last one may continue
}

// label reads a heading, or a paragraph that begins like one.
func (s *scenarios) label(text string) {
	s.acceptance = stepPatterns().acceptance.MatchString(text)
	s.open = false
}

// add reads a block: it begins a scenario, continues one, or is something else.
func (s *scenarios) add(b block) {
	step := ""
	if m := stepPatterns().step.FindStringSubmatch(b.text); m != nil {
		step = strings.ToLower(m[1])
	}
	switch {
	case step == "given":
		s.begin(b)
	case s.open && s.continuesLast(step):
		s.all[len(s.all)-1].Text += " " + b.text
	case s.acceptance && b.item:
		s.begin(b)
	case stepPatterns().label.MatchString(b.text), stepPatterns().acceptance.MatchString(b.text):
		s.label(b.text)
	default:
		s.open = false
	}
}

func (s *scenarios) begin(b block) {
	s.all = append(s.all, Scenario{Text: b.text, Line: b.line})
	s.open = true
}

// continuesLast reports whether a step continues the last scenario: it is And or But, or the scenario does not have it yet.
func (s *scenarios) continuesLast(step string) bool {
	if step == "" || step == "and" || step == "but" {
		return step != ""
	}
	for _, word := range stepPatterns().word.FindAllString(s.all[len(s.all)-1].Text, -1) {
		if strings.EqualFold(word, step) {
			return false
		}
	}
	return true
}
