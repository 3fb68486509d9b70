package lint

import (
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// Grade says how well a spec stands in one respect: A is best, D worst.
type Grade string

// The grades.
const (
	A Grade = "A"
	B Grade = "B"
	C Grade = "C"
	D Grade = "D"
)

// Light sums the grades up.
type Light string

// The lights. Red is a spec that is better mended before it is worked; nothing is
// refused for it.
const (
	Green  Light = "green"
	Yellow Light = "yellow"
	Red    Light = "red"
)

// Score says how well a spec can be worked.
type Score struct {
	Light         Light    `json:"traffic_light"`
	Complexity    Grade    `json:"complexity"`          // how little it asks for
	Confidence    Grade    `json:"confidence"`          // how clearly it says what
	Splittability Grade    `json:"splittability"`       // how well it could be cut into several
	Criteria      Grade    `json:"ac_quality"`          // how well its end can be told
	Isolation     Grade    `json:"isolation,omitempty"` // of a driver: how little its members share
	Suggestions   []string `json:"suggestions"`
}

// Score judges a spec by what was written into it; what runs have appended does not
// count.
func (p *Project) Score(s *spec.Spec) Score {
	g := grader{Project: p, s: s, doc: written(s), suggestions: []string{}}
	out := Score{
		Complexity: g.complexity(), Confidence: g.confidence(), Splittability: g.splittability(),
		Criteria: g.criteria(), Isolation: g.isolation(),
	}
	slices.Sort(g.suggestions)
	out.Suggestions = slices.Compact(g.suggestions)
	out.Light = out.light()
	return out
}

// light is red where one of the grades that decide is D, and green where all are A or B.
func (s Score) light() Light {
	deciding := []Grade{s.Complexity, s.Confidence, s.Criteria}
	switch {
	case slices.Contains(deciding, D):
		return Red
	case slices.Contains(deciding, C):
		return Yellow
	}
	return Green
}

// grader judges one spec.
type grader struct {
	*Project
	s           *spec.Spec
	doc         *markdown.Document
	suggestions []string
}

func (g *grader) suggest(text string) { g.suggestions = append(g.suggestions, text) }

// complexity grades the size. Finished work had up to 31 criteria, 6 files and 1100
// words; most of it up to 8, 3 and 300.
func (g *grader) complexity() Grade {
	is := sizeOf(g.s, g.doc)
	grade := A
	for _, m := range []struct{ have, b, c, d int }{{is.criteria, 8, 12, 40}, {is.files, 4, 7, 12}, {is.words, 300, 600, 1500}} {
		grade = max(grade, graded(m.have, m.b, m.c, m.d))
	}
	if grade >= C {
		g.suggest("cut it into several specs: it asks for a lot at once")
	}
	return grade
}

// graded is A below b, B below c, C below d and D from there on.
func graded(have, b, c, d int) Grade {
	switch {
	case have >= d:
		return D
	case have >= c:
		return C
	case have >= b:
		return B
	}
	return A
}

// criteria grades how the end of the work can be told: by how many criteria say what is
// so then, one that runs a command counting as two. One that runs nothing tells nothing.
func (g *grader) criteria() Grade {
	if g.Graph.Container(g.s.ID) {
		return A // its members are what tells
	}
	all := spec.Criteria(g.doc)
	points, runs := 0, false
	for _, c := range all {
		switch {
		case slices.Contains(c.Commands, ""):
			g.suggest("let every `$` say what to run")
			return D
		case c.Runs():
			points, runs = points+2, true
		case !verbless(c.Text):
			points++
		}
	}
	switch {
	case len(all) == 0:
		g.suggest("add acceptance criteria: nothing says when it is done")
	case points < 2:
		g.suggest("let several criteria say what is so when the work is done")
	case !runs:
		g.suggest("let commands check criteria: end them in `$ command`")
	}
	switch {
	case points >= 4:
		return A
	case points >= 2:
		return B
	}
	return C
}
