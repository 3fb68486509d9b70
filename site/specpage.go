package site

import (
	"fmt"
	"html/template"
	"path"
	"strings"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/engine/view/pages"
	"chant/site/prose"
)

// specView is the content of the page of a spec.
type specView struct {
	Row
	Reason   string
	Facts    []fact
	Criteria []criterionView
	Proof    string
	Body     template.HTML
	Strength *criteria.Strength // nil if it was not measured
	Work     *workView
	History  []entryView
	Act      *Actions
	Live     *LiveRun
}

// fact is a name with links, a time or a text.
type fact struct {
	Name  string
	Links []Link
	Time  *Moment
	Text  string
}

type criterionView struct {
	Class, Verdict string
	Text           template.HTML
	Why            string
	Evidence       []evidenceView
}

type evidenceView struct{ Command, Result, Output string }

type workView struct {
	Summary string
	Files   []fileView
}

type fileView struct {
	Path           string
	Added, Removed int
	Binary         bool
}

type entryView struct {
	Time                *Moment
	What, Actor, Commit string
	Changes             []taskfields.FieldChange
}

// Spec renders the page of a spec. live is nil except for people who can act.
func (r *Renderer) Spec(s *pages.Page, live *LiveSpec) ([]byte, error) {
	const root = "../"
	v := specView{Row: rowOf(s, root), Facts: r.facts(s, root), Proof: proofText(s), Work: workOf(s.Work)}
	if s.Status == spec.Failed || s.Status == spec.NeedsAttention {
		v.Reason = s.Fields.Reason
	}
	v.Strength = s.Evidence.KnownStrength()
	o := prose.Options{Top: 3, NoTitle: true, Resolve: r.resolver(root)}
	// prose lets no markup of the text through.
	v.Body = template.HTML(prose.HTML(s.Body, o))
	for _, c := range s.Criteria {
		v.Criteria = append(v.Criteria, criterionOf(c, o))
	}
	for i := len(s.History) - 1; i >= 0; i-- {
		e := s.History[i]
		v.History = append(v.History, entryView{momentOf(e.At, minuteLayout), whatHappened(e.Events, e.Agent), e.Maker(), shortHash(e.Commit), e.Changes})
	}
	if live != nil {
		v.Act, v.Live = &live.Actions, &live.Run
	}
	return r.theme.execute("spec", r.options, page{Heading: v.Title, Root: root, Spec: s.ID, Content: v})
}

// resolver finds the page of a spec whose file a text links to.
func (r *Renderer) resolver(root string) func(string) (string, bool) {
	return func(target string) (string, bool) {
		target, _, _ = strings.Cut(target, "#")
		id := strings.TrimSuffix(path.Base(target), ".md")
		if _, ok := r.byID[id]; ok {
			return root + SpecPath(id), true
		}
		return "", false
	}
}

// links returns links to specs; one that does not exist leads nowhere.
func (r *Renderer) links(ids []string, root string) (links []Link) {
	for _, id := range ids {
		l := Link{Name: id}
		if s := r.byID[id]; s != nil {
			l = Link{s.Title, root + SpecPath(id)}
		}
		links = append(links, l)
	}
	return links
}

// facts lists what is known of a spec besides its text, without what is empty.
func (r *Renderer) facts(s *pages.Page, root string) (facts []fact) {
	status := ""
	if s.Archived {
		// The row says that it is archived.
		status = wordOf(string(s.Status))
	}
	for _, f := range []fact{
		{Name: "Status", Text: status},
		{Name: "Depends on", Links: r.links(s.DependsOn, root)},
		{Name: "Needed by", Links: r.links(s.Dependents, root)},
		{Name: "Part of", Links: r.links(s.Drivers, root)},
		{Name: "Members", Links: r.links(s.Members, root)},
		{Name: "Created", Time: momentOf(s.Created, minuteLayout)},
		{Name: "Completed", Time: momentOf(s.Completed, minuteLayout)},
		{Name: "Approval", Text: approvalText(s.Fields.Approval)},
		{Name: "Priority", Text: string(s.Fields.Priority)},
		{Name: "Assignee", Text: string(s.Fields.Assignee)},
		{Name: "Model", Text: s.Fields.Model},
	} {
		if f.Time != nil || f.Text != "" || len(f.Links) > 0 {
			facts = append(facts, f)
		}
	}
	return facts
}

func approvalText(a *spec.Approval) string {
	switch {
	case a == nil:
		return ""
	case a.By != "":
		return fmt.Sprintf("%s by %s", a.Status, a.By)
	case a.Status == "":
		return "required"
	}
	return a.Status
}

func criterionOf(c pages.Criterion, o prose.Options) criterionView {
	v := criterionView{Class: "open", Verdict: "open", Text: template.HTML(prose.Line(c.Text, o))}
	switch {
	case c.Failed:
		v.Class, v.Verdict = "failed", "failed"
	case c.Checked:
		v.Class, v.Verdict = "passed", "ticked"
	}
	// It has failed since.
	if c.Verdict == nil || c.Failed && c.Verdict.Holds {
		return v
	}
	switch {
	case !c.Verdict.Holds:
		v.Class, v.Verdict, v.Why = "failed", "failed", c.Verdict.Why
	case c.Verdict.How == criteria.ByRunning:
		v.Class, v.Verdict = "passed", "passed"
		if proof := c.Verdict.ProofText(); proof != "" {
			v.Verdict += ", " + proof
		}
	case c.Verdict.How == criteria.ByAgent:
		v.Class, v.Verdict = "passed", "judged to hold"
	}
	for _, e := range c.Verdict.Evidence {
		v.Evidence = append(v.Evidence, evidenceView{e.Command, e.Result(), strings.TrimRight(e.Tail, "\n")})
	}
	return v
}

// proofText says where the evidence of a spec comes from.
func proofText(s *pages.Page) string {
	e := s.Evidence
	if e == nil {
		return ""
	}
	out := fmt.Sprintf("Evidence: %s, recorded %s with commit %s", e.StatusText(), e.At.UTC().Format(minuteLayout), shortHash(e.Commit))
	switch {
	case e.Edited:
		out += "; it was edited by hand"
	case e.Signature.State != attest.Unsigned && e.Signature.String() != "":
		out += "; " + e.Signature.String()
	}
	if e.Accepted {
		out += "; a person accepted changes that a run may not make"
	}
	return out + "."
}

// workOf returns what a run changed, nil if nothing is known.
func workOf(w *pages.Work) *workView {
	if w == nil {
		return nil
	}
	v := &workView{Summary: changeText(w)}
	if w.Landing {
		v.Summary += ", landed as " + shortHash(w.To)
	}
	for _, f := range w.Files {
		v.Files = append(v.Files, fileView{f.Path, f.Added, f.Removed, f.Binary})
	}
	return v
}

// changeText says how much a run changed, "" if that is not known.
func changeText(w *pages.Work) string {
	switch {
	case w == nil:
		return ""
	case len(w.Files) == 0:
		return "no files changed"
	case len(w.Files) == 1:
		return fmt.Sprintf("1 file changed, +%d −%d", w.Added(), w.Removed())
	}
	return fmt.Sprintf("%d files changed, +%d −%d", len(w.Files), w.Added(), w.Removed())
}

// whatHappened names the events of a commit.
func whatHappened(events []string, agent string) string {
	switch {
	case len(events) > 0:
		return strings.Join(events, ", ")
	case agent != "":
		return "changed by its agent"
	}
	return "changed by hand"
}

func shortHash(commit string) string { return commit[:min(7, len(commit))] }
