package spec

import (
	"fmt"
	"slices"
	"strings"
)

// ApprovalRule requires the approval of every spec with a label.
type ApprovalRule struct {
	Label     string
	Approvers []string // mails; anyone may approve if there are none
	Count     int      // distinct people, at least 1
}

// rulesFor lists the project's rules that apply to this spec.
func (s *Spec) rulesFor() []ApprovalRule {
	if len(s.Rules) == 0 {
		return nil
	}
	var out []ApprovalRule
	labels := s.ruleLabels()
	for _, rule := range s.Rules {
		if slices.Contains(labels, rule.Label) {
			out = append(out, rule)
		}
	}
	return out
}

// accepts reports whether an approval by this person counts for the rule.
func (r ApprovalRule) accepts(by string) bool {
	_, mail := SplitPerson(by)
	return len(r.Approvers) == 0 || slices.ContainsFunc(r.Approvers, func(a string) bool { return strings.EqualFold(a, mail) })
}

// missingVotes describes which approvals the rule still requires, in words that follow "approval".
func (r ApprovalRule) missingVotes(given int) string {
	var out strings.Builder
	if r.Count > 1 {
		fmt.Fprintf(&out, " (%d of %d given)", given, r.Count)
	}
	if len(r.Approvers) > 0 {
		out.WriteString(" by " + strings.Join(r.Approvers, " or "))
	}
	return out.String()
}

// votes lists who has approved the present content, each person once.
func (s *Spec) votes() []Vote {
	a := s.Fields.Approval
	if a == nil || a.Status == Rejected || s.checksContent() && a.Hash != s.content.hash() {
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

// Approve returns the approval after one more person has approved the spec in its present form, and this work unless it
// is "". Its status is approved once every rule has the approvals that it requires.
func (s *File) Approve(v Vote, work string) Approval {
	next := Approval{Status: Approved, Hash: s.ContentHash(), Work: work}
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
	then := s.Spec
	if s.Home != nil {
		then.addLabelsOf(s.Home)
	}
	then.Fields.Approval, then.Home = &next, nil
	if then.missingApproval(&next).Exists() {
		next.Status, next.By, next.At = ApprovalPending, "", ""
	}
	return next
}

// CheckApprover returns why an approval by this person counts for none of the rules that apply to the spec. It returns
// "" if it counts for one of them, or if no rule applies.
func (s *Spec) CheckApprover(by string) string {
	rules := s.rulesFor()
	if len(rules) == 0 || slices.ContainsFunc(rules, func(r ApprovalRule) bool { return r.accepts(by) }) {
		return ""
	}
	return fmt.Sprintf("a spec with the label %q is approved%s", rules[0].Label, rules[0].missingVotes(0))
}

// AddRulesOf applies the rules for the labels of another copy of the spec too; the copy may be nil. So a rule still
// applies if its label was removed from one copy only. It ceases to apply once every copy that counts lacks the label.
func (s *Spec) AddRulesOf(other *File) {
	if other != nil {
		s.addLabelsOf(&other.Spec)
	}
}

func (s *Spec) addLabelsOf(other *Spec) {
	s.otherLabels = append(slices.Clone(s.otherLabels), other.ruleLabels()...)
}

// ruleLabels lists the labels whose rules apply to the spec: its own, and those of its other copies.
func (s *Spec) ruleLabels() []string {
	out := slices.Concat(s.Fields.Labels, s.otherLabels)
	if s.Home != nil {
		out = append(out, s.Home.ruleLabels()...)
	}
	return out
}
