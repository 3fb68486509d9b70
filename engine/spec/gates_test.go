package spec

import (
	"slices"
	"strings"
	"testing"
)

func TestLoosened(t *testing.T) {
	t.Parallel()
	const text = "---\nstatus: pending\nlabels: [security, extra]\nmembers: [a]\noutput_schema: o.json\nowner: Ada\n---\n# A\n"
	rule := ApprovalRule{Label: "security", Count: 1}
	for name, tt := range map[string]struct {
		change [2]string
		want   string
	}{
		"nothing":         {[2]string{"# A", "# B"}, ""},
		"label of a rule": {[2]string{"security, ", ""}, `the label "security", which asks for approval, was taken off the spec`},
		"other label":     {[2]string{", extra", ", more"}, ""},
		"type":            {[2]string{"status: pending", "status: pending\ntype: driver"}, "the type of the spec was changed from code to driver"},
		"members":         {[2]string{"[a]", "[]"}, "the members of the spec were changed"},
		"output schema":   {[2]string{"output_schema: o.json\n", ""}, "the output_schema of the spec was changed"},
		"required key":    {[2]string{"owner: Ada", "owner:"}, `the key "owner", which the project requires, was emptied`},
		"empty before":    {[2]string{"status", "status"}, ""},
	} {
		was, now := parsed(t, text), parsed(t, strings.Replace(text, tt.change[0], tt.change[1], 1))
		was.Rules, now.Rules = []ApprovalRule{rule}, []ApprovalRule{rule}
		if got := strings.Join(Loosened(was, now, []string{"owner", "ticket"}), "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestUnder: the labels of another copy count for who may approve, and for whom it takes.
func TestUnder(t *testing.T) {
	t.Parallel()
	rule := ApprovalRule{Label: "security", Approvers: []string{"b@x.org"}, Count: 1}
	bare := strings.Replace(gate, "labels: [security]\n", "", 1)
	home := with(t, parsed(t, gate), nil, rule)
	for name, put := range map[string]func(*Spec){
		"beside":  func(s *Spec) { s.Under(home) },
		"at home": func(s *Spec) { s.Home = home },
	} {
		s := with(t, parsed(t, bare), nil, rule)
		if s.MayApprove("A <a@x.org>") != "" || slices.Contains(s.ruleLabels(), "security") {
			t.Fatal("the rule holds without the label")
		}
		put(s)
		if s.MayApprove("A <a@x.org>") == "" || s.MayApprove("B <b@x.org>") != "" {
			t.Errorf("%s: the rule of the label does not hold", name)
		}
		if a := s.Approve(Vote{By: "A <a@x.org>"}, "w"); a.Status != ApprovalPending {
			t.Errorf("%s: anybody's word approves: %+v", name, a)
		}
		if a := s.Approve(Vote{By: "B <b@x.org>"}, "w"); a.Status != Approved {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
