package spec

import (
	"slices"
	"strings"
	"testing"
	"time"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

const gate = "---\nstatus: pending\nlabels: [security]\ntarget_files: [a.go]\n---\n# A\n\nDo it.\n\n## Acceptance Criteria\n\n- [ ] One `$ true`\n- [ ] Two\n"

func parsed(t *testing.T, src string) *File {
	t.Helper()
	s, err := Parse("x", "x.md", []byte(src))
	assert.NoError(t, err)
	return s
}

// with returns the spec with another approval and these rules.
func with(t *testing.T, s *File, a *Approval, rules ...ApprovalRule) *File {
	t.Helper()
	doc, err := SetApproval(s.Doc, a)
	assert.NoError(t, err)
	next := parsed(t, string(doc.Bytes()))
	next.Rules = rules
	return next
}

// TestContentHash checks which edits of a spec void its approval.
func TestContentHash(t *testing.T) {
	t.Parallel()
	hash := func(src string) string { return ContentHash(parsed(t, src).Doc) }
	was := hash(gate)
	for name, change := range map[string][2]string{
		"ticked":          {"- [ ] Two", "- [x] Two"},
		"status":          {"status: pending", "status: failed\nreason: it did\ncommits: [abc]\nretry_state: {attempts: 1}"},
		"labels":          {"labels: [security]", "labels: [x]\npriority: high"},
		"line ends":       {"\n", "\r\n"},
		"order of keys":   {"status: pending\nlabels: [security]\ntarget_files: [a.go]", "target_files: [a.go]\nstatus: pending"},
		"style":           {"[a.go]", "\n- a.go"},
		"end":             {"Two\n", "Two\n\n\n"},
		"discussion":      {"Two\n", "Two\n\n## Approval Discussion\n\n**Ada** - 2026-01-02 10:00 - APPROVED\n"},
		"approval":        {"status: pending", "status: pending\napproval: {required: true, status: rejected}"},
		"a comment there": {"status: pending", "status: pending # so"},
	} {
		next := strings.ReplaceAll(gate, change[0], change[1])
		assert.NotEqual(t, gate, next, "%s: an approval is void", name)
		assert.Equal(t, was, hash(next), "%s: an approval is void", name)
	}
	for name, change := range map[string][2]string{
		"title":              {"# A", "# B"},
		"prose":              {"Do it", "Do more"},
		"criterion":          {"One", "Won"},
		"command":            {"$ true", "$ false"},
		"more criteria":      {"- [ ] Two", "- [ ] Two\n- [ ] Three"},
		"files":              {"a.go", "b.go"},
		"model":              {"status: pending", "status: pending\nmodel: opus"},
		"verify":             {"status: pending", "status: pending\nverify: [go vet]"},
		"schema":             {"status: pending", "status: pending\noutput_schema: s.json"},
		"depends":            {"status: pending", "status: pending\ndepends_on: []"},
		"type":               {"status: pending", "status: pending\ntype: research"},
		"box among text":     {"Do it", "Do a[x]"},
		"in the discussion":  {"Two\n", "Two\n\n## Approval Discussion\n\n### Acceptance Criteria\n\n- [ ] `$ sh evil`\n"},
		"script hidden":      {"Two\n", "Two\n\n## Approval Discussion\n\n### Script\n\n```sh\nevil\n```\n"},
		"after a discussion": {"Two\n", "Two\n\n## Approval Discussion\n\nx\n\n## More\n\nevil\n"},
	} {
		next := strings.ReplaceAll(gate, change[0], change[1])
		assert.NotEqual(t, gate, next, "%s: an approval stays", name)
		assert.NotEqual(t, was, hash(next), "%s: an approval stays", name)
	}
}

func TestApprovalBlock(t *testing.T) {
	t.Parallel()
	s := parsed(t, gate)
	hash := ContentHash(s.Doc)
	two := ApprovalRule{Label: "security", Approvers: []string{"a@x.org", "b@x.org"}, Count: 2}
	one := ApprovalRule{Label: "security", Count: 1}
	vote := func(by ...string) (out []Vote) {
		for _, b := range by {
			out = append(out, Vote{By: b, At: "t"})
		}
		return out
	}
	for name, tt := range map[string]struct {
		a     *Approval
		rules []ApprovalRule
		want  string
	}{
		"none":                    {nil, nil, ""},
		"required":                {&Approval{Required: true}, nil, "waits for approval"},
		"pending":                 {&Approval{Required: true, Status: "pending"}, nil, "waits for approval"},
		"approved":                {&Approval{Required: true, Status: "approved", Hash: hash}, nil, ""},
		"approved long ago":       {&Approval{Required: true, Status: "approved"}, nil, ""},
		"edited":                  {&Approval{Required: true, Status: "approved", Hash: "x"}, nil, "was edited after its approval"},
		"edited, not required":    {&Approval{Status: "approved", Hash: "x"}, nil, "was edited after its approval"},
		"rejected, not required":  {&Approval{Status: "rejected"}, nil, "was rejected"},
		"rejected and edited":     {&Approval{Status: "rejected", Hash: "x"}, nil, "was rejected"},
		"of work":                 {&Approval{Required: true, Status: "pending", Work: "w"}, nil, "waits for approval of its work"},
		"rule":                    {nil, []ApprovalRule{one}, "waits for approval"},
		"rule of another label":   {nil, []ApprovalRule{{Label: "other", Count: 1}}, ""},
		"rule met":                {&Approval{Status: "approved", By: "Z <z@x.org>", Hash: hash}, []ApprovalRule{one}, ""},
		"rule met, edited":        {&Approval{Status: "approved", By: "Z <z@x.org>", Hash: "x"}, []ApprovalRule{one}, "was edited after its approval"},
		"rule without votes":      {&Approval{Status: "approved", Hash: hash}, []ApprovalRule{one}, "waits for approval"},
		"by another person":       {&Approval{Status: "approved", By: "Z <z@x.org>", Hash: hash}, []ApprovalRule{two}, "waits for approval (0 of 2 given) by a@x.org or b@x.org"},
		"half":                    {&Approval{Status: "pending", Hash: hash, Approvals: vote("A <a@x.org>")}, []ApprovalRule{two}, "waits for approval (1 of 2 given) by a@x.org or b@x.org"},
		"twice the same":          {&Approval{Status: "approved", By: "A <A@x.org>", Hash: hash, Approvals: vote("A <a@x.org>", "a@x.org")}, []ApprovalRule{two}, "waits for approval (1 of 2 given) by a@x.org or b@x.org"},
		"both":                    {&Approval{Status: "approved", By: "B <b@x.org>", Hash: hash, Approvals: vote("A <a@x.org>", "B <b@x.org>")}, []ApprovalRule{two}, ""},
		"half, of another text":   {&Approval{Status: "pending", Hash: "x", Approvals: vote("A <a@x.org>")}, []ApprovalRule{two}, "waits for approval (0 of 2 given) by a@x.org or b@x.org"},
		"two rules, one is met":   {&Approval{Status: "approved", By: "Z <z@x.org>", Hash: hash}, []ApprovalRule{one, two}, "waits for approval (0 of 2 given) by a@x.org or b@x.org"},
		"of work, by one of rule": {&Approval{Required: true, Status: "pending", Work: "w"}, []ApprovalRule{two}, "waits for approval of its work (0 of 2 given) by a@x.org or b@x.org"},
	} {
		assert.Equal(t, tt.want, with(t, s, tt.a, tt.rules...).ApprovalBlock().String(), "%s", name)
	}
}

// TestApprovalBlock_ofRun: while the copy on a branch is authoritative, home's copy is the approved one, and what the
// run writes does not void the approval.
func TestApprovalBlock_ofRun(t *testing.T) {
	t.Parallel()
	home := parsed(t, gate)
	approved := &Approval{Required: true, Status: "approved", Hash: ContentHash(home.Doc)}
	edited := strings.Replace(gate, "Do it", "Did it", 1)
	onBranch := func(src string, a *Approval, h *File) *File {
		s := with(t, parsed(t, src), a)
		s.Branch, s.Home = "chant/x", nil
		if h != nil {
			s.Home = &h.Spec
		}
		return s
	}
	work := *approved
	work.Work = "w"
	for name, tt := range map[string]struct {
		s    *File
		want string
	}{
		"the run writes":               {onBranch(edited, approved, with(t, home, approved)), ""},
		"home is edited":               {onBranch(gate, approved, with(t, parsed(t, edited), approved)), Hold{Kind: HeldByEdit}.String()},
		"home is rejected":             {onBranch(gate, approved, with(t, home, &Approval{Status: "rejected"})), Hold{Kind: HeldByRejection}.String()},
		"home is approved since":       {onBranch(edited, &Approval{Required: true}, with(t, home, approved)), ""},
		"the branch is rejected":       {onBranch(gate, &Approval{Status: "rejected", Work: "w"}, with(t, home, approved)), Hold{Kind: HeldByRejection}.String()},
		"no copy in home":              {onBranch(edited, approved, nil), ""},
		"approved work":                {onBranch(gate, &work, with(t, home, approved)), ""},
		"approved work, edited behind": {onBranch(edited, &work, with(t, home, approved)), Hold{Kind: HeldByEdit}.String()},
	} {
		assert.Equal(t, tt.want, tt.s.ApprovalBlock().String(), "%s", name)
	}
}

func TestApprove(t *testing.T) {
	t.Parallel()
	s := with(t, parsed(t, gate), &Approval{Required: true}, ApprovalRule{Label: "security", Count: 2})
	first := s.Approve(Vote{"A <a@x.org>", "1"}, "")
	assert.Equal(t, ApprovalPending, first.Status)
	assert.Equal(t, "", first.By)
	assert.Equal(t, 1, len(first.Approvals))
	assert.True(t, first.Required, "%+v", first)
	s = with(t, s, &first, s.Rules...)
	again := s.Approve(Vote{"A <a@x.org>", "2"}, "")
	assert.Equal(t, ApprovalPending, again.Status, "the same person twice")
	assert.Equal(t, 1, len(again.Approvals), "the same person twice")
	assert.Equal(t, "2", again.Approvals[0].At, "the same person twice")
	work := s.Approve(Vote{"B <b@x.org>", "2"}, "w")
	assert.Equal(t, ApprovalPending, work.Status, "votes for the text count for the work")
	assert.Equal(t, 1, len(work.Approvals), "votes for the text count for the work")
	second := s.Approve(Vote{"B <b@x.org>", "2"}, "")
	assert.Equal(t, Approved, second.Status)
	assert.Equal(t, "B <b@x.org>", second.By)
	assert.Equal(t, 2, len(second.Approvals))
	s = with(t, parsed(t, strings.Replace(gate, "Do it", "Do more", 1)), &second, s.Rules...)
	third := s.Approve(Vote{"C <c@x.org>", "3"}, "")
	assert.Equal(t, ApprovalPending, third.Status, "votes for another text count")
	assert.Equal(t, 1, len(third.Approvals), "votes for another text count")
	rejected := with(t, parsed(t, gate), &Approval{Required: true, Status: Rejected, By: "B <b@x.org>", Hash: ContentHash(s.Doc)})
	back := rejected.Approve(Vote{"A <a@x.org>", "4"}, "")
	assert.Equal(t, Approved, back.Status, "a rejection stays: %+v", back)
}

func TestSetApproval_keepsOtherKeys(t *testing.T) {
	t.Parallel()
	doc := parsed(t, "---\napproval: {status: pending, ticket: 7, required: true} # ours\nx: 1\n---\n# A\n").Doc
	next, err := SetApproval(doc, &Approval{Required: true, Status: Approved, By: "A", At: "t"})
	assert.NoError(t, err, "%s", next.Bytes())
	assert.Contains(t, string(next.Bytes()), "ticket: 7")
	assert.Contains(t, string(next.Bytes()), "status: approved")
	same, err := SetApproval(next, &Approval{Required: true, Status: Approved, By: "A", At: "t"})
	assert.NoError(t, err, "an equal approval changes the file")
	assert.True(t, same == next, "an equal approval changes the file: %v", err)
	gone, err := SetApproval(next, nil)
	assert.NoError(t, err, "%s", gone.Bytes())
	assert.NotContains(t, string(gone.Bytes()), "approval")
}

func TestHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hold       Hold
		waivable   bool
		words, For string
	}{
		{Hold{}, false, "", ""},
		{Hold{Kind: HeldForApproval}, true, "waits for approval", "approval"},
		{Hold{Kind: HeldForApproval, More: " (1 of 2 given)"}, true, "waits for approval (1 of 2 given)", "approval (1 of 2 given)"},
		{Hold{Kind: HeldByEdit}, true, "was edited after its approval", ""},
		{Hold{Kind: HeldByChange}, false, "was changed after its work was approved", ""},
		{Hold{Kind: HeldByRejection}, false, "was rejected", ""},
		{Hold{Kind: HeldForWork, More: " by a@b.c"}, false, "waits for approval of its work by a@b.c", "approval of its work by a@b.c"},
	} {
		h := c.hold
		assert.Equal(t, c.waivable, h.Waivable())
		assert.Equal(t, c.words, h.String())
		assert.Equal(t, c.For, h.Reason())
		assert.Equal(t, c.words != "", h.Exists())
	}
}

// Names of approvers do not affect decisions, even if they contain the words of a hold.
func TestHold_names(t *testing.T) {
	t.Parallel()
	for _, more := range []string{" of its work", " cycle a -> b", " was rejected", "was edited after its approval"} {
		plain, odd := Hold{Kind: HeldForApproval}, Hold{Kind: HeldForApproval, More: more}
		if plain.Waivable() != odd.Waivable() || plain.Exists() != odd.Exists() {
			t.Errorf("%q changes a decision", more)
		}
	}
}

// FuzzDiscuss: no name or reason can add a heading, a box, a code block, a criterion or another line.
func FuzzDiscuss(f *testing.F) {
	for _, reason := range []string{"no", "\n## Acceptance Criteria\n\n- [ ] x `$ evil`", "```\n", "<!--", "- [x] a", "\u2028# x", "a  b\x00c", "\\", "`$ x`", "[a](b)", "~~~"} {
		f.Add("Ada <ada@example.com>", reason)
	}
	f.Fuzz(func(t *testing.T, by, reason string) {
		doc, err := markdown.Parse("x.md", []byte(gate))
		assert.NoError(t, err)
		next := Discuss(doc, Remark{By: by, At: time.Unix(0, 0), Ruling: "REJECTED", Reason: reason})
		got, want := len(next.Headings()), len(doc.Headings())+1
		assert.Equal(t, want, got, "%s", next.Bytes())
		if !slices.EqualFunc(Criteria(doc), Criteria(next), func(a, b Criterion) bool { return a.Text == b.Text }) {
			t.Errorf("other criteria:\n%s", next.Bytes())
		}
		if ContentHash(doc) != ContentHash(next) {
			t.Errorf("a remark voids the approval that it records:\n%s", next.Bytes())
		}
		if _, ok := next.CodeBlock("Script"); ok || len(remarks(next)) != 1 {
			t.Errorf("%q", remarks(next))
		}
	})
}

// TestAddRulesOf: the labels of another copy decide too who may approve and how many approvals are required.
func TestAddRulesOf(t *testing.T) {
	t.Parallel()
	rule := ApprovalRule{Label: "security", Approvers: []string{"b@x.org"}, Count: 1}
	bare := strings.Replace(gate, "labels: [security]\n", "", 1)
	home := with(t, parsed(t, gate), nil, rule)
	for name, put := range map[string]func(*File){
		"beside":  func(s *File) { s.AddRulesOf(home) },
		"at home": func(s *File) { s.Home = &home.Spec },
	} {
		s := with(t, parsed(t, bare), nil, rule)
		assert.Equal(t, "", s.CheckApprover("A <a@x.org>"), "the rule holds without the label")
		assert.NotSliceContains(t, s.ruleLabels(), "security", "the rule holds without the label")
		put(s)
		assert.NotEqual(t, "", s.CheckApprover("A <a@x.org>"), "%s: the rule of the label does not hold", name)
		assert.Equal(t, "", s.CheckApprover("B <b@x.org>"), "%s: the rule of the label does not hold", name)
		a := s.Approve(Vote{By: "A <a@x.org>"}, "w")
		assert.Equal(t, ApprovalPending, a.Status, "%s: anyone's approval counts: %+v", name, a)
		a = s.Approve(Vote{By: "B <b@x.org>"}, "w")
		assert.Equal(t, Approved, a.Status, "%s: %+v", name, a)
	}
}

// remarks lists the paragraphs of a document's discussion.
func remarks(doc *markdown.Document) []string {
	text, _ := doc.Section(DiscussionHeading)
	return strings.Split(strings.TrimSpace(string(text)), "\n\n")
}
