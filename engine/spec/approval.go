package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Approval is people's word that a spec may be worked, or that the work on it may land.
type Approval struct {
	Required  bool   `yaml:"required" json:"required"`
	Status    string `yaml:"status,omitempty" json:"status,omitempty"` // pending, approved or rejected
	By        string `yaml:"by,omitempty" json:"by,omitempty"`
	At        string `yaml:"at,omitempty" json:"at,omitempty"`
	Hash      string `yaml:"hash,omitempty" json:"hash,omitempty"`           // ContentHash of what was approved; old files have none
	Work      string `yaml:"work,omitempty" json:"work,omitempty"`           // name of the work on the run's branch that this is about, "" before there is any
	Approvals []Vote `yaml:"approvals,omitempty" json:"approvals,omitempty"` // each person's, where more than one is asked for
}

// Vote is one person's approval of the content that Approval.Hash names.
type Vote struct {
	By string `yaml:"by" json:"by"`
	At string `yaml:"at" json:"at"`
}

// The words of Approval.Status.
const (
	ApprovalPending = "pending"
	Approved        = "approved"
	Rejected        = "rejected"
)

// ApprovalRule asks for the approval of every spec with a label.
type ApprovalRule struct {
	Label     string
	Approvers []string // mails; anybody's word counts when there are none
	Count     int      // distinct people, at least 1
}

// The ways in which approval holds a spec back. What follows them says more.
const (
	AwaitsApproval     = "waits for approval"
	AwaitsWorkApproval = "waits for approval of its work"
	EditedApproval     = "was edited after its approval"
	RefusedApproval    = "was rejected"
)

// Waivable reports whether a person who starts a run may do without what ApprovalBlock
// told. Nobody can do without a rejection, or without the approval of work.
func Waivable(why string) bool {
	return why == EditedApproval || strings.HasPrefix(why, AwaitsApproval) && !strings.HasPrefix(why, AwaitsWorkApproval)
}

// ApprovalBlock says why approval holds the spec back, "" when it does not. While a
// run's branch speaks, the copy in home is what people approve of, and what the run
// writes into its own voids nothing; approved work is that of the branch.
func (s *Spec) ApprovalBlock() string {
	a := s.Fields.Approval
	if a == nil {
		a = &Approval{}
	}
	if s.Home != nil {
		if why := s.Home.ApprovalBlock(); why != "" {
			return why
		}
	}
	switch {
	case a.Status == Rejected:
		return RefusedApproval
	case s.Home != nil && a.Work == "":
		return "" // home has said so above
	case a.Status == Approved && s.judgesContent() && a.Hash != ContentHash(s.Doc):
		return EditedApproval
	}
	return s.lacks(a)
}

// judgesContent reports whether the spec's text is the one that was approved, or not.
func (s *Spec) judgesContent() bool {
	a := s.Fields.Approval
	return a.Hash != "" && (s.Branch == "" || a.Work != "")
}

// lacks says what is missing to a that is not rejected.
func (s *Spec) lacks(a *Approval) string {
	waits := AwaitsApproval
	if a.Work != "" {
		waits = AwaitsWorkApproval
	}
	votes := s.votes()
	for _, rule := range s.RulesFor() {
		given := 0
		for _, v := range votes {
			if rule.takes(v.By) {
				given++
			}
		}
		if given < rule.Count {
			return waits + rule.wants(given)
		}
	}
	if a.Required && a.Status != Approved {
		return waits
	}
	return ""
}

// RulesFor lists the project's rules that this spec falls under.
func (s *Spec) RulesFor() []ApprovalRule {
	var out []ApprovalRule
	for _, rule := range s.Rules {
		if slices.Contains(s.Fields.Labels, rule.Label) {
			out = append(out, rule)
		}
	}
	return out
}

// takes reports whether somebody's word counts for the rule.
func (r ApprovalRule) takes(by string) bool {
	_, mail := SplitPerson(by)
	return len(r.Approvers) == 0 || slices.ContainsFunc(r.Approvers, func(a string) bool { return strings.EqualFold(a, mail) })
}

// wants says whose word the rule still asks for.
func (r ApprovalRule) wants(given int) string {
	var out strings.Builder
	if r.Count > 1 {
		fmt.Fprintf(&out, " (%d of %d given)", given, r.Count)
	}
	if len(r.Approvers) > 0 {
		out.WriteString(" by " + strings.Join(r.Approvers, " or "))
	}
	return out.String()
}

// votes lists who has approved the content as it stands, each person once.
func (s *Spec) votes() []Vote {
	a := s.Fields.Approval
	if a == nil || a.Status == Rejected || s.judgesContent() && a.Hash != ContentHash(s.Doc) {
		return nil
	}
	all := slices.Clone(a.Approvals)
	if a.Status == Approved && a.By != "" {
		all = append(all, Vote{By: a.By, At: a.At})
	}
	var out []Vote
	for _, v := range all {
		if !slices.ContainsFunc(out, func(o Vote) bool { return samePerson(o.By, v.By) }) {
			out = append(out, v)
		}
	}
	return out
}

// Approve is the approval after one more person has said yes to the spec as it
// stands, and to this work when there is some. It is approved once every rule has the
// words it asks for.
func (s *Spec) Approve(v Vote, work string) Approval {
	next := Approval{Status: Approved, Hash: ContentHash(s.Doc), Work: work}
	var before []Vote
	if a := s.Fields.Approval; a != nil {
		next.Required = a.Required
		if a.Work == work && a.Hash == next.Hash {
			before = slices.DeleteFunc(s.votes(), func(o Vote) bool { return samePerson(o.By, v.By) })
		}
	}
	next.By, next.At = v.By, v.At
	if votes := append(before, v); slices.ContainsFunc(s.RulesFor(), func(r ApprovalRule) bool { return r.Count > 1 }) {
		next.Approvals = votes
	}
	then := *s
	then.Fields.Approval, then.Home = &next, nil
	if then.lacks(&next) != "" {
		next.Status, next.By, next.At = ApprovalPending, "", ""
	}
	return next
}

// MayApprove says why somebody's word counts for none of the rules that the spec
// falls under, "" when it does or there are none.
func (s *Spec) MayApprove(by string) string {
	rules := s.RulesFor()
	if len(rules) == 0 || slices.ContainsFunc(rules, func(r ApprovalRule) bool { return r.takes(by) }) {
		return ""
	}
	return fmt.Sprintf("a spec with the label %q is approved%s", rules[0].Label, rules[0].wants(0))
}

// SameApproval reports whether two approvals say the same. None, and one that says
// nothing, are the same.
func SameApproval(a, b *Approval) bool {
	none := &Approval{}
	if a == nil {
		a = none
	}
	if b == nil {
		b = none
	}
	return reflect.DeepEqual(a, b)
}

// SplitPerson splits "Name <mail>"; what has no such form is both.
func SplitPerson(text string) (name, mail string) {
	head, tail, ok := strings.Cut(strings.TrimSpace(text), "<")
	if !ok || !strings.HasSuffix(tail, ">") {
		return strings.TrimSpace(text), strings.TrimSpace(text)
	}
	return strings.TrimSpace(head), strings.TrimSuffix(tail, ">")
}

func samePerson(a, b string) bool {
	_, x := SplitPerson(a)
	_, y := SplitPerson(b)
	return strings.EqualFold(x, y)
}
