package lint

import (
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// Grade grades one aspect of a spec: A is best, D worst.
type Grade string

// The grades.
const (
	A Grade = "A"
	B Grade = "B"
	C Grade = "C"
	D Grade = "D"
)

// Light summarises the grades.
type Light string

// The lights. A red spec should be improved before it is worked, but it is not refused.
const (
	Green  Light = "green"
	Yellow Light = "yellow"
	Red    Light = "red"
)

// Score grades how well a spec can be worked.
type Score struct {
	Light         Light    `json:"traffic_light"`
	Complexity    Grade    `json:"complexity"`          // how small it is
	Confidence    Grade    `json:"confidence"`          // how clearly it describes the work
	Splittability Grade    `json:"splittability"`       // how well it could be split
	Criteria      Grade    `json:"ac_quality"`          // how well its criteria show when the work is done
	Isolation     Grade    `json:"isolation,omitempty"` // of a driver: how independent its members are
	Suggestions   []string `json:"suggestions"`
}

// Score grades a spec without the sections that runs and approvals have appended.
func (p *Project) Score(s *spec.File) Score {
	g := grader{Project: p, s: s, doc: writtenPart(s), suggestions: []string{}}
	out := Score{
		Complexity: g.gradeComplexity(), Confidence: g.gradeConfidence(), Splittability: g.gradeSplittability(),
		Criteria: g.gradeCriteria(), Isolation: g.gradeIsolation(),
	}
	slices.Sort(g.suggestions)
	out.Suggestions = slices.Compact(g.suggestions)
	out.Light = out.lightOf()
	return out
}

// lightOf returns red if one of the deciding grades is D, and green if all of them are A or B.
func (s Score) lightOf() Light {
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
	s           *spec.File
	doc         *markdown.Document
	suggestions []string
}

func (g *grader) suggest(text string) { g.suggestions = append(g.suggestions, text) }

// gradeComplexity grades the size. The finished specs used for calibration have up to 31 criteria, 6 files and 1100
// words; most of them up to 8, 3 and 300.
func (g *grader) gradeComplexity() Grade {
	is := sizeOf(g.s, g.doc)
	grade := A
	for _, m := range []struct{ have, b, c, d int }{{is.criteria, 8, 12, 40}, {is.files, 4, 7, 12}, {is.words, 300, 600, 1500}} {
		grade = max(grade, gradeOf(m.have, m.b, m.c, m.d))
	}
	if grade >= C {
		g.suggest("split it into several specs: it is large for one")
	}
	return grade
}

// gradeOf returns A below b, B below c, C below d and D from d on.
func gradeOf(have, b, c, d int) Grade {
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

// gradeCriteria grades how well the criteria show when the work is done, by their number. A criterion with a command
// counts twice, one without a verb does not count, and an empty command gives the worst grade.
func (g *grader) gradeCriteria() Grade {
	if g.Graph.Container(g.s.ID) {
		return A // its members have the criteria
	}
	all := g.s.WithDoc(g.doc).Criteria()
	points, runs := 0, false
	for _, c := range all {
		switch {
		case slices.Contains(c.Commands, ""):
			g.suggest("write a command after every `$`")
			return D
		case c.Runs():
			points, runs = points+2, true
		case !lacksVerb(c.Text):
			points++
		}
	}
	switch {
	case len(all) == 0:
		g.suggest("add acceptance criteria: nothing says when it is done")
	case points < 2:
		g.suggest("add criteria that state what is true when the work is done")
	case !runs:
		g.suggest("let commands check criteria: end them with `$ command`")
	}
	switch {
	case points >= 4:
		return A
	case points >= 2:
		return B
	}
	return C
}
