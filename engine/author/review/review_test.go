package review

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run/attempt"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, err)
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
		got, err := findPerson(t.Context(), p, by)
		assert.NoError(t, err, "%q", by)
		assert.Equal(t, want, got, "%q", by)
	}
	for by, words := range map[string]string{
		"Sam": "is several people", "Eve": `"Eve" is neither you (Ada <ada@example.com>) nor anybody`, "bob": "nor anybody", "Bob <eve@example.com>": "nor anybody", "@": "nor anybody",
	} {
		got, err := findPerson(t.Context(), p, by)
		assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "%q: %q", by, got)
		assert.Contains(t, err.Error(), words, "%q: %q", by, got)
	}
}

func TestMatchesPerson(t *testing.T) {
	t.Parallel()
	const ada = "Ada L. <ada@example.com>"
	for text, want := range map[string]bool{"Ada L.": true, "ada@example.com": true, ada: true, "Ada": false, "": false, "ADA L.": false, "<ada@example.com>": false} {
		assert.Equal(t, want, matchesPerson(ada, text), "%q", text)
	}
	for _, unknown := range []string{"", "Ada <>"} {
		assert.False(t, matchesPerson(unknown, unknown), "%q is a person", unknown)
		assert.False(t, matchesPerson(unknown, "Ada"), "%q is a person", unknown)
	}
}

// TestApprove makes one commit, after which the spec does not lack approval until its text is edited.
func TestApprove(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "approval:\n  required: true\n  status: pending\nlabels: [api]\nother: kept\n")
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	r, err := Approve(t.Context(), p, ApproveInput{ID: "001"})
	assert.NoError(t, err)
	assert.Equal(t, id, r.ID)
	assert.Equal(t, "Parser", r.Title)
	assert.Equal(t, "spec", r.Of)
	assert.Equal(t, "", r.Waits)
	assert.Equal(t, enginetest.Git(t, dir, "rev-parse", "HEAD"), r.Commit)
	s := approvalOf(t, p)
	a := s.Fields.Approval
	assert.True(t, a != nil, "%+v", a)
	assert.Equal(t, spec.Approved, a.Status)
	assert.True(t, a.Required, "%+v", a)
	assert.Equal(t, "Ada <ada@example.com>", a.By)
	assert.Equal(t, "2026-01-02T12:00:00Z", a.At)
	assert.Equal(t, spec.ContentHash(s.Doc), a.Hash)
	text := enginetest.Read(t, dir, path)
	assert.Contains(t, text, "**Ada** - 2026-01-02 12:00 - APPROVED")
	assert.Contains(t, text, "other: kept")
	assert.False(t, s.ApprovalBlock().Exists(), "%s", text)
	assert.Equal(t, "1", enginetest.Git(t, dir, "rev-list", "--count", before+"..HEAD"))
	enginetest.Commit(t, dir, map[string]string{path: strings.Replace(text, "Do it.", "Do more.", 1)})
	hold := approvalOf(t, p).ApprovalBlock()
	assert.Equal(t, spec.HeldByEdit, hold.Kind, "edited: %+v", hold)
	r, err = Approve(t.Context(), p, ApproveInput{ID: id, By: "Bob"})
	assert.NoError(t, err)
	assert.Equal(t, "Bob <bob@example.com>", r.Approval.By)
	assert.Equal(t, "", r.Waits)
}

// TestApprove_rules: a rule counts each person once, and only those that it names.
func TestApprove_rules(t *testing.T) {
	t.Parallel()
	p, _ := project(t, "labels: [security]\n")
	if err := p.Config.Read([]byte("---\napproval:\n  rules:\n    - label: security\n      approvers: [ada@example.com, bob@example.com]\n      count: 2\n---\n"), engine.Home(p)); err != nil {
		t.Fatal(err)
	}
	p.Store.Rules = p.Config.Approval.SpecRules()
	_, err := Approve(t.Context(), p, ApproveInput{ID: id, By: "sam@one.example"})
	assert.Equal(t, engine.Blocked, enginetest.CodeOf(t, err), "a person whom the rule does not name")
	assert.Contains(t, err.Error(), "you are Sam <sam@one.example>", "a person whom the rule does not name")
	for _, c := range []struct{ by, status, waits string }{
		{"Ada", spec.ApprovalPending, "waits for approval (1 of 2 given) by ada@example.com or bob@example.com"},
		{"Ada", spec.ApprovalPending, "waits for approval (1 of 2 given) by ada@example.com or bob@example.com"},
		{"Bob", spec.Approved, ""},
	} {
		r, err := Approve(t.Context(), p, ApproveInput{ID: id, By: c.by})
		assert.NoError(t, err, "%s", c.by)
		assert.Equal(t, c.status, r.Approval.Status, "%s", c.by)
		assert.Equal(t, c.waits, r.Waits, "%s", c.by)
	}
	assert.Equal(t, 2, len(approvalOf(t, p).Fields.Approval.Approvals))
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
		assert.NoError(t, err)
		s.Branch, s.Landed, s.Fields.Approval = c.branch, c.landed, c.approval
		for word, want := range map[string]bool{attempt.ApproveWord: c.approve, attempt.RejectWord: c.reject} {
			err := checkDecidable(s, word)
			assert.Equal(t, want, err == nil, "%s: %s", name, word)
			assert.False(t, err != nil && enginetest.CodeOf(t, err) != engine.State, "%s: %s: %v", name, word, err)
		}
	}
}

// TestPlaceOf: before a spec is completed a decision is about home's copy, and about the branch afterwards.
func TestPlaceOf(t *testing.T) {
	t.Parallel()
	home := func(a *spec.Approval) *spec.Spec {
		s, err := spec.Parse(id, path, []byte("---\nstatus: pending\n---\n"+body))
		assert.NoError(t, err)
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
		assert.Equal(t, c.approve, placeOf(&c.s, attempt.ApproveWord), "%s: approve", name)
		assert.Equal(t, c.reject, placeOf(&c.s, attempt.RejectWord), "%s: reject", name)
	}
}

// TestReject writes the reason into the discussion as plain text, and the spec lacks approval.
func TestReject(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "")
	r, err := Reject(t.Context(), p, RejectInput{ID: id, Reason: "too *vague*\n# and long\n- [x] done"})
	assert.NoError(t, err)
	assert.Equal(t, spec.Rejected, r.Approval.Status)
	assert.Equal(t, "was rejected", r.Waits)
	assert.Zero(t, r.Added)
	text := enginetest.Read(t, dir, path)
	assert.Contains(t, text, `REJECTED: too \*vague\* \# and long - \[x\] done`)
	assert.Equal(t, 2, len(spec.Criteria(approvalOf(t, p).Doc)))
	r, err = Approve(t.Context(), p, ApproveInput{ID: id})
	assert.NoError(t, err, "an approval takes it back")
	assert.Equal(t, "", r.Waits, "an approval takes it back")
	assert.Equal(t, spec.Approved, r.Approval.Status, "an approval takes it back")
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
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
		assert.Contains(t, err.Error(), c.words, "%s", name)
	}
	enginetest.Write(t, dir, path, "# Edited\n")
	for name, err := range map[string]error{
		"approve": func() error { _, err := Approve(t.Context(), p, ApproveInput{ID: id}); return err }(),
		"reject":  func() error { _, err := Reject(t.Context(), p, RejectInput{ID: id, Reason: "x"}); return err }(),
	} {
		assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err), "uncommitted edits: %s", name)
		assert.Contains(t, err.Error(), "it would be unclear what you "+name, "uncommitted edits: %s", name)
	}
	assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", "HEAD"), "a refused decision has made the commit")
}

// TestReject_actions creates one spec that fixes the rejected one, or a member for each criterion.
func TestReject_actions(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "labels: [api]\ndepends_on: [2026-01-01-001-old]\n")
	r, err := Reject(t.Context(), p, RejectInput{ID: id, Reason: "no tests", Action: "dependency"})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 1, len(r.Added), "%+v", r)
	mends, err := p.Store.Get(t.Context(), r.Added[0])
	assert.NoError(t, err)
	assert.Equal(t, id, mends.Fields.Original)
	assert.Equal(t, spec.Pending, mends.Status)
	assert.Equal(t, spec.StringList{"api"}, mends.Fields.Labels)
	assert.Contains(t, string(mends.Doc.Body()), "> no tests")
	assert.Equal(t, spec.StringList{"2026-01-01-001-old", mends.ID}, approvalOf(t, p).Fields.DependsOn)
	files := enginetest.Git(t, dir, "show", "--name-only", "--format=", "HEAD")
	assert.Equal(t, 1, strings.Count(files, "\n"), "the two files of a rejection are one commit")

	p, _ = project(t, "labels: [api]\n")
	r, err = Reject(t.Context(), p, RejectInput{ID: id, Reason: "too much at once", Action: "group"})
	assert.NoError(t, err)
	assert.Equal(t, []string{id + ".1", id + ".2"}, r.Added)
	s := approvalOf(t, p)
	assert.Equal(t, spec.Driver, s.Fields.Type)
	assert.Equal(t, spec.StringList{id + ".1", id + ".2"}, s.Fields.Members)
	for i, member := range r.Added {
		m, err := p.Store.Get(t.Context(), member)
		assert.NoError(t, err, "%s", member)
		assert.Equal(t, spec.Pending, m.Status, "%s", member)
		assert.Equal(t, 1, len(spec.Criteria(m.Doc)), "%s", member)
		assert.Equal(t, spec.Criteria(s.Doc)[i].Text, spec.Criteria(m.Doc)[0].Text, "%s", member)
	}
}
