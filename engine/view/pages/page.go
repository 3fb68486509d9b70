package pages

import (
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/store/history"
	"chant/engine/verify"
	"chant/gitops"
)

// Site is everything that pages show.
type Site struct {
	Name    string // of the project: the name of its folder
	Specs   []Page // in id order, archived ones too
	Invalid []Broken
}

// Broken is a spec file that cannot be read.
type Broken struct {
	ID    string
	Error string // with path and line
}

// Page is the content of the page of one spec.
type Page struct {
	ID, Title string
	Status    spec.Status
	Ready     bool
	Blocked   bool
	Archived  bool
	Landed    bool // only of completed specs
	Fields    spec.Fields
	Body      string // Markdown
	Criteria  []Criterion

	// Neighbours, as ids in order. Those that do not exist are among DependsOn and Members too.
	DependsOn, Dependents, Members, Drivers []string

	Evidence  *verify.RecordedEvidence // of its completion, nil without any
	Work      *Work                    // nil if no work is known
	History   []history.Entry          // oldest first
	Created   time.Time                // of the first commit, zero without one
	Updated   time.Time                // of the last commit, zero without one
	Completed time.Time                // zero unless it is completed and its file has a valid time
}

// Criterion is a criterion or a command of a spec, with the evidence for it.
type Criterion struct {
	Text     string
	Checked  bool // its box is ticked; of a command, that it passed
	Failed   bool // when it was last checked, whatever its box says
	Commands []string
	Verdict  *criteria.Verdict // recorded at completion, nil without evidence
}

// Work is what the run of a spec changed outside of .chant.
type Work struct {
	From, To string // commits
	Landing  bool   // To is the merge into the target
	Files    []gitops.FileSize
}

// Added returns the number of added lines.
func (w *Work) Added() (n int) {
	for _, f := range w.Files {
		n += f.Added
	}
	return n
}

// Removed returns the number of removed lines.
func (w *Work) Removed() (n int) {
	for _, f := range w.Files {
		n += f.Removed
	}
	return n
}

// criteriaOf joins the criteria of a spec with the recorded verdicts: first those in its file, then the commands that
// were run in addition.
func criteriaOf(s *spec.File, found *verify.RecordedEvidence) []Criterion {
	verdicts := map[string]*criteria.Verdict{}
	var order []*criteria.Verdict
	if found != nil {
		for i := range found.Criteria {
			v := &found.Criteria[i]
			order = append(order, v)
			verdicts[v.ID] = v
		}
	}
	var out []Criterion
	for _, c := range s.Criteria() {
		v := verdicts[c.ID]
		// What remains are commands that were run in addition.
		delete(verdicts, c.ID)
		out = append(out, Criterion{Text: c.Text, Checked: c.Checked, Failed: c.Failed, Commands: c.Commands, Verdict: v})
	}
	for _, v := range order {
		if verdicts[v.ID] == v {
			out = append(out, Criterion{Text: v.Text, Checked: v.Holds, Verdict: v})
		}
	}
	return out
}
