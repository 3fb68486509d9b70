package lint

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chant/engine/spec"
)

// clarity counts what makes a text clear or vague.
type clarity struct {
	items, imperative int // list items, and those that begin with a verb
	words, vague      int
}

func (g *grader) measureClarity() clarity {
	var c clarity
	for _, item := range g.doc.Items() {
		c.items++
		if startsWithVerb(item.Text) {
			c.imperative++
		}
	}
	for _, line := range g.doc.Prose() {
		words := strings.FieldsFunc(strings.ToLower(line.Text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
		c.words += len(words)
		c.vague += countVague(words)
	}
	return c
}

// countVague counts vague words.
func countVague(words []string) int {
	n := 0
	for i, w := range words {
		if vagueWords()[w] || w == "needed" && i > 0 && words[i-1] == "as" {
			n++
		}
	}
	return n
}

var vagueWords = sync.OnceValue(func() map[string]bool {
	return set("improve improved improvement improvements better nice nicer etc related similar various somehow appropriate properly several stuff things maybe possibly")
})

// gradeConfidence grades how clearly the spec describes the work: a list of steps is clearer than prose, and the share
// of vague words counts.
func (g *grader) gradeConfidence() Grade {
	c := g.measureClarity()
	if c.vague > 0 {
		g.suggest("replace vague words such as improve, properly, related, etc by what exactly is needed")
	}
	switch {
	// A long text may have a few vague words.
	case c.words == 0, c.vague > 8 && c.vague*10 > c.words:
		return D
	case c.vague > 2 && c.vague*30 > c.words:
		return C
	case c.items == 0 && g.s.Adopted() == nil:
		g.suggest("list the work to be done, one item for each step")
		return C
	case c.imperative*2 >= c.items && c.vague == 0:
		return A
	}
	return B
}

// gradeSplittability grades how well the spec could be split: it needs sections and several target files.
func (g *grader) gradeSplittability() Grade {
	_, member := spec.Parent(g.s.ID)
	criteria := len(spec.Criteria(g.doc))
	// A member is a part already, and one criterion cannot be divided.
	if member || criteria == 1 {
		return C
	}
	sections := 0
	for _, h := range g.doc.Headings() {
		if h.Level > 1 && !strings.EqualFold(h.Text, spec.CriteriaHeading) {
			sections++
		}
	}
	grade := C
	switch files := len(g.s.Fields.TargetFiles); {
	case sections >= 3 && files >= 3:
		grade = A
	case sections >= 1 && files >= 2:
		grade = B
	}
	text := strings.ToLower(string(g.doc.Body()))
	if grade <= B && (strings.Contains(text, "tightly coupled") || strings.Contains(text, "depends on each other")) {
		g.suggest("its parts depend on each other: split it in another way, or not at all")
		return D
	}
	return grade
}

// gradeIsolation grades a driver by how little its members mention each other and share files. It returns "" for a spec
// without members that can be read.
func (g *grader) gradeIsolation() Grade {
	members := spec.Files(g.Graph.MemberSpecs(g.s.ID))
	if len(members) == 0 {
		return ""
	}
	// There is no other member to depend on.
	if len(members) == 1 {
		return A
	}
	free, shared := g.measureIsolation(members)
	grade := C
	switch {
	case free <= 0.5 || shared > 0.5:
		grade = D
	case free > 0.9 && shared < 0.2:
		grade = A
	case free > 0.7:
		grade = B
	}
	if grade >= C {
		g.suggest("make members independent: fewer mentions of each other, fewer common files")
	}
	return grade
}

// memberMention matches mentions such as "member 2".
var memberMention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bmember \d`) })

// measureIsolation returns the share of members that mention no other member, and the share of target files that
// several members have.
func (g *grader) measureIsolation(members []*spec.File) (free, shared float64) {
	alone, files := 0, map[string]int{}
	for _, m := range members {
		text := strings.ToLower(string(writtenPart(m).Body()))
		mentions := memberMention().MatchString(text)
		for _, other := range members {
			mentions = mentions || other.ID != m.ID && strings.Contains(text, strings.ToLower(other.ID))
		}
		if !mentions {
			alone++
		}
		for i, f := range m.Fields.TargetFiles {
			// A file that one member lists twice is not shared.
			if !slices.Contains(m.Fields.TargetFiles[:i], f) {
				files[f]++
			}
		}
	}
	common := 0
	for _, n := range files {
		if n > 1 {
			common++
		}
	}
	if len(files) > 0 {
		shared = float64(common) / float64(len(files))
	}
	return float64(alone) / float64(len(members)), shared
}
