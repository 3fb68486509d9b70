package spec

import (
	"fmt"
	"slices"
	"strings"
)

// ApprovalRule asks for the approval of every spec with a label.
type ApprovalRule struct {
	Label     string
	Approvers []string // mails; anybody's word counts when there are none
	Count     int      // distinct people, at least 1
}

// rulesFor lists the project's rules that this spec falls under.
func (s *Spec) rulesFor() []ApprovalRule {
	var out []ApprovalRule
	labels := s.ruleLabels()
	for _, rule := range s.Rules {
		if slices.Contains(labels, rule.Label) {
			out = append(out, rule)
		}
	}
	return out
}

// takes reports whether someone's word counts for the rule.
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

// votes lists who has approved the content as it is, each person once.
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
	if votes := append(before, v); slices.ContainsFunc(s.rulesFor(), func(r ApprovalRule) bool { return r.Count > 1 }) {
		next.Approvals = votes
	}
	then := *s
	then.Under(s.Home)
	then.Fields.Approval, then.Home = &next, nil
	if then.lacks(&next).Exists() {
		next.Status, next.By, next.At = ApprovalPending, "", ""
	}
	return next
}

// MayApprove says why someone's word counts for none of the rules that the spec
// falls under, "" when it does or there are none.
func (s *Spec) MayApprove(by string) string {
	rules := s.rulesFor()
	if len(rules) == 0 || slices.ContainsFunc(rules, func(r ApprovalRule) bool { return r.takes(by) }) {
		return ""
	}
	return fmt.Sprintf("a spec with the label %q is approved%s", rules[0].Label, rules[0].wants(0))
}
