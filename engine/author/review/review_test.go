package review

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run/attempt"
	"chant/engine/spec"
)

const (
	id   = "2026-01-02-001-abc"
	path = ".chant/specs/" + id + ".md"
	body = "# Parser\n\nDo it.\n\n## Acceptance Criteria\n\n- [ ] one\n- [ ] two `$ true`\n"
)

// project returns a project with one spec and commits by Ada and Bob.
func project(t *testing.T, front string) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{path: "---\n" + front + "---\n" + body})
	enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "x", "--author", "Bob <bob@example.com>")
	enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "x", "--author", "Sam <sam@one.example>")
	enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "x", "--author", "Sam <sam@two.example>")
	return p, dir
}

// approvalOf returns the spec as its file is now.
func approvalOf(t *testing.T, p *engine.Project) *spec.File {
	t.Helper()
	s, err := p.Store.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFindPerson finds the person who decides: the one that git is configured for, or one with a commit, if the name is
// unambiguous.
func TestFindPerson(t *testing.T) {
	t.Parallel()
	p, _ := project(t, "")
	const ada, bob = "Ada <ada@example.com>", "Bob <bob@example.com>"
	for by, want := range map[string]string{
		"": ada, "Ada": ada, "ada@example.com": ada, ada: ada, " Ada ": ada, "Bob": bob, "bob@example.com": bob, bob: bob,
		"sam@two.example": "Sam <sam@two.example>",
	} {
		if got, err := findPerson(t.Context(), p, by); err != nil || got != want {
			t.Errorf("%q: %q, %v", by, got, err)
		}
	}
	for by, words := range map[string]string{
		"Sam": "is several people", "Eve": `"Eve" is neither you (Ada <ada@example.com>) nor anybody`, "bob": "nor anybody", "Bob <eve@example.com>": "nor anybody", "@": "nor anybody",
	} {
		if got, err := findPerson(t.Context(), p, by); enginetest.CodeOf(t, err) != engine.Usage || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %q, %v", by, got, err)
		}
	}
}

func TestMatchesPerson(t *testing.T) {
	t.Parallel()
	const ada = "Ada L. <ada@example.com>"
	for text, want := range map[string]bool{"Ada L.": true, "ada@example.com": true, ada: true, "Ada": false, "": false, "ADA L.": false, "<ada@example.com>": false} {
		if got := matchesPerson(ada, text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for _, unknown := range []string{"", "Ada <>"} {
		if matchesPerson(unknown, unknown) || matchesPerson(unknown, "Ada") {
			t.Errorf("%q is a person", unknown)
		}
	}
}

// TestApprove makes one commit, after which the spec does not lack approval until its text is edited.
func TestApprove(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "approval:\n  required: true\n  status: pending\nlabels: [api]\nother: kept\n")
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	r, err := Approve(t.Context(), p, ApproveInput{ID: "001"})
	if err != nil || r.ID != id || r.Title != "Parser" || r.Of != "spec" || r.Waits != "" || r.Commit != enginetest.Git(t, dir, "rev-parse", "HEAD") {
		t.Fatalf("%+v, %v", r, err)
	}
	s := approvalOf(t, p)
	a := s.Fields.Approval
	if a == nil || a.Status != spec.Approved || !a.Required || a.By != "Ada <ada@example.com>" || a.At != "2026-01-02T12:00:00Z" || a.Hash != spec.ContentHash(s.Doc) {
		t.Errorf("%+v", a)
	}
	text := enginetest.Read(t, dir, path)
	if !strings.Contains(text, "**Ada** - 2026-01-02 12:00 - APPROVED") || !strings.Contains(text, "other: kept") || s.ApprovalBlock().Exists() {
		t.Errorf("%s", text)
	}
	if n := enginetest.Git(t, dir, "rev-list", "--count", before+"..HEAD"); n != "1" {
		t.Errorf("%s commits", n)
	}
	enginetest.Commit(t, dir, map[string]string{path: strings.Replace(text, "Do it.", "Do more.", 1)})
	if hold := approvalOf(t, p).ApprovalBlock(); hold.Kind != spec.HeldByEdit {
		t.Errorf("edited: %+v", hold)
	}
	if r, err = Approve(t.Context(), p, ApproveInput{ID: id, By: "Bob"}); err != nil || r.Approval.By != "Bob <bob@example.com>" || r.Waits != "" {
		t.Errorf("approved anew: %+v, %v", r, err)
	}
}

// TestApprove_rules: a rule counts each person once, and only those that it names.
func TestApprove_rules(t *testing.T) {
	t.Parallel()
	p, _ := project(t, "labels: [security]\n")
	if err := p.Config.Read([]byte("---\napproval:\n  rules:\n    - label: security\n      approvers: [ada@example.com, bob@example.com]\n      count: 2\n---\n"), engine.Home(p)); err != nil {
		t.Fatal(err)
	}
	p.Store.Rules = p.Config.Approval.SpecRules()
	if _, err := Approve(t.Context(), p, ApproveInput{ID: id, By: "sam@one.example"}); enginetest.CodeOf(t, err) != engine.Blocked || !strings.Contains(err.Error(), "you are Sam <sam@one.example>") {
		t.Errorf("a person whom the rule does not name: %v", err)
	}
	for _, c := range []struct{ by, status, waits string }{
		{"Ada", spec.ApprovalPending, "waits for approval (1 of 2 given) by ada@example.com or bob@example.com"},
		{"Ada", spec.ApprovalPending, "waits for approval (1 of 2 given) by ada@example.com or bob@example.com"},
		{"Bob", spec.Approved, ""},
	} {
		r, err := Approve(t.Context(), p, ApproveInput{ID: id, By: c.by})
		if err != nil || r.Approval.Status != c.status || r.Waits != c.waits {
			t.Errorf("%s: %+v, waits %q, %v", c.by, r.Approval, r.Waits, err)
		}
	}
	if n := len(approvalOf(t, p).Fields.Approval.Approvals); n != 2 {
		t.Errorf("%d votes", n)
	}
}

// TestCheckDecidable refuses a decision if there is nothing to decide.
func TestCheckDecidable(t *testing.T) {
	t.Parallel()
	outdated := &spec.Approval{Required: true, Status: spec.Approved, Hash: "of another text"}
	for name, c := range map[string]struct {
		status   spec.Status
		branch   string
		landed   bool
		approval *spec.Approval
		approve  bool
		reject   bool
	}{
		"pending":                      {spec.Pending, "", false, nil, true, true},
		"at work":                      {spec.InProgress, "chant/x", false, nil, true, true},
		"failed":                       {spec.Failed, "chant/x", false, nil, true, true},
		"completed on its branch":      {spec.Completed, "chant/x", false, nil, true, true},
		"landed":                       {spec.Completed, "", true, nil, false, false},
		"landed, its branch is left":   {spec.Completed, "chant/x", true, nil, false, false},
		"completed by hand":            {spec.Completed, "", false, nil, false, false},
		"landed, with an old approval": {spec.Completed, "", true, outdated, true, false},
		"cancelled":                    {spec.Cancelled, "", false, nil, false, false},
		"cancelled, but held back":     {spec.Cancelled, "", false, outdated, false, false},
	} {
		s, err := spec.Parse(id, path, []byte("---\nstatus: "+string(c.status)+"\n---\n"+body))
		if err != nil {
			t.Fatal(err)
		}
		s.Branch, s.Landed, s.Fields.Approval = c.branch, c.landed, c.approval
		for word, want := range map[string]bool{attempt.ApproveWord: c.approve, attempt.RejectWord: c.reject} {
			err := checkDecidable(s, word)
			if (err == nil) != want || err != nil && enginetest.CodeOf(t, err) != engine.State {
				t.Errorf("%s: %s: %v", name, word, err)
			}
		}
	}
}

// TestPlaceOf: before a spec is completed a decision is about home's copy, and about the branch afterwards.
func TestPlaceOf(t *testing.T) {
	t.Parallel()
	home := func(a *spec.Approval) *spec.Spec {
		s, err := spec.Parse(id, path, []byte("---\nstatus: pending\n---\n"+body))
		if err != nil {
			t.Fatal(err)
		}
		s.Fields.Approval = a
		return &s.Spec
	}
	held := &spec.Approval{Required: true, Status: spec.ApprovalPending}
	for name, c := range map[string]struct {
		s       spec.Spec
		approve rulingPlace
		reject  rulingPlace
	}{
		"no branch":                         {spec.Spec{Status: spec.Pending}, rulingPlace{}, rulingPlace{}},
		"at work":                           {spec.Spec{Status: spec.InProgress, Branch: "b", Home: home(nil)}, rulingPlace{}, rulingPlace{}},
		"at work, gone from home":           {spec.Spec{Status: spec.InProgress, Branch: "b"}, rulingPlace{branch: true}, rulingPlace{branch: true}},
		"completed":                         {spec.Spec{Status: spec.Completed, Branch: "b", Home: home(nil)}, rulingPlace{true, true}, rulingPlace{true, true}},
		"completed, home's copy holds it":   {spec.Spec{Status: spec.Completed, Branch: "b", Home: home(held)}, rulingPlace{}, rulingPlace{true, true}},
		"completed, gone from home":         {spec.Spec{Status: spec.Completed, Branch: "b"}, rulingPlace{true, true}, rulingPlace{true, true}},
		"completed, and there is no branch": {spec.Spec{Status: spec.Completed}, rulingPlace{}, rulingPlace{}},
	} {
		if got := placeOf(&c.s, attempt.ApproveWord); got != c.approve {
			t.Errorf("%s: approve %+v", name, got)
		}
		if got := placeOf(&c.s, attempt.RejectWord); got != c.reject {
			t.Errorf("%s: reject %+v", name, got)
		}
	}
}

// TestReject writes the reason into the discussion as plain text, and the spec lacks approval.
func TestReject(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "")
	r, err := Reject(t.Context(), p, RejectInput{ID: id, Reason: "too *vague*\n# and long\n- [x] done"})
	if err != nil || r.Approval.Status != spec.Rejected || r.Waits != "was rejected" || len(r.Added) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	text := enginetest.Read(t, dir, path)
	if !strings.Contains(text, `REJECTED: too \*vague\* \# and long - \[x\] done`) || len(spec.Criteria(approvalOf(t, p).Doc)) != 2 {
		t.Errorf("%s", text)
	}
	if r, err := Approve(t.Context(), p, ApproveInput{ID: id}); err != nil || r.Waits != "" || r.Approval.Status != spec.Approved {
		t.Errorf("an approval takes it back: %+v, %v", r, err)
	}
}

// TestReject_refused writes nothing if the input is invalid or there is nothing to decide.
func TestReject_refused(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "")
	const bare, driver, gone = "2026-01-02-002-abc", "2026-01-02-003-abc", "2026-01-02-004-abc"
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/" + bare + ".md": "# Bare\n", ".chant/specs/" + driver + ".md": "---\ntype: driver\n---\n" + body,
		".chant/specs/" + gone + ".md": "---\nstatus: cancelled\n---\n" + body,
	})
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for name, c := range map[string]struct {
		in    RejectInput
		code  engine.Code
		words string
	}{
		"no reason":                {RejectInput{ID: id}, engine.Usage, "a rejection needs a reason"},
		"spaces":                   {RejectInput{ID: id, Reason: " \n"}, engine.Usage, "a rejection needs a reason"},
		"control characters":       {RejectInput{ID: id, Reason: "a\x00b"}, engine.Invalid, "reason holds the control character"},
		"an unknown action":        {RejectInput{ID: id, Reason: "x", Action: "burn"}, engine.Usage, "one of manual, dependency, group"},
		"an unknown person":        {RejectInput{ID: id, Reason: "x", By: "Eve"}, engine.Usage, "Eve"},
		"no such spec":             {RejectInput{ID: "nowhere", Reason: "x"}, engine.NotFound, "nowhere"},
		"a cancelled spec":         {RejectInput{ID: gone, Reason: "x"}, engine.State, "is cancelled"},
		"a group without criteria": {RejectInput{ID: bare, Reason: "x", Action: "group"}, engine.State, "has no acceptance criteria"},
		"a group that is one":      {RejectInput{ID: driver, Reason: "x", Action: "group"}, engine.State, "is a driver already"},
	} {
		_, err := Reject(t.Context(), p, c.in)
		if enginetest.CodeOf(t, err) != c.code || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	enginetest.Write(t, dir, path, "# Edited\n")
	for name, err := range map[string]error{
		"approve": func() error { _, err := Approve(t.Context(), p, ApproveInput{ID: id}); return err }(),
		"reject":  func() error { _, err := Reject(t.Context(), p, RejectInput{ID: id, Reason: "x"}); return err }(),
	} {
		if enginetest.CodeOf(t, err) != engine.Conflict || !strings.Contains(err.Error(), "it would be unclear what you "+name) {
			t.Errorf("uncommitted edits: %s: %v", name, err)
		}
	}
	if now := enginetest.Git(t, dir, "rev-parse", "HEAD"); now != before {
		t.Errorf("a refused decision has made the commit %s", now)
	}
}

// TestReject_actions creates one spec that fixes the rejected one, or a member for each criterion.
func TestReject_actions(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "labels: [api]\ndepends_on: [2026-01-01-001-old]\n")
	r, err := Reject(t.Context(), p, RejectInput{ID: id, Reason: "no tests", Action: "dependency"})
	if err != nil || len(r.Added) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	mends, err := p.Store.Get(t.Context(), r.Added[0])
	if err != nil || mends.Fields.Original != id || mends.Status != spec.Pending || !slices.Equal(mends.Fields.Labels, spec.StringList{"api"}) || !strings.Contains(string(mends.Doc.Body()), "> no tests") {
		t.Errorf("%+v, %v", mends, err)
	}
	if deps := approvalOf(t, p).Fields.DependsOn; !slices.Equal(deps, spec.StringList{"2026-01-01-001-old", mends.ID}) {
		t.Errorf("%q", deps)
	}
	if files := enginetest.Git(t, dir, "show", "--name-only", "--format=", "HEAD"); strings.Count(files, "\n") != 1 {
		t.Errorf("the two files of a rejection are one commit, not %q", files)
	}

	p, _ = project(t, "labels: [api]\n")
	if r, err = Reject(t.Context(), p, RejectInput{ID: id, Reason: "too much at once", Action: "group"}); err != nil || !slices.Equal(r.Added, []string{id + ".1", id + ".2"}) {
		t.Fatalf("%+v, %v", r, err)
	}
	s := approvalOf(t, p)
	if s.Fields.Type != spec.Driver || !slices.Equal(s.Fields.Members, spec.StringList{id + ".1", id + ".2"}) {
		t.Errorf("%+v", s.Fields)
	}
	for i, member := range r.Added {
		m, err := p.Store.Get(t.Context(), member)
		if err != nil || m.Status != spec.Pending || len(spec.Criteria(m.Doc)) != 1 || spec.Criteria(m.Doc)[0].Text != spec.Criteria(s.Doc)[i].Text {
			t.Errorf("%s: %+v, %v", member, m, err)
		}
	}
}
