package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Approval is the decision of people that a spec may be worked, or that the work on it may land.
type Approval struct {
	Required  bool   `yaml:"required" json:"required"`
	Status    string `yaml:"status,omitempty" json:"status,omitempty"` // pending, approved or rejected
	By        string `yaml:"by,omitempty" json:"by,omitempty"`
	At        string `yaml:"at,omitempty" json:"at,omitempty"`
	Hash      string `yaml:"hash,omitempty" json:"hash,omitempty"`           // ContentHash of what was approved; old files have none
	Work      string `yaml:"work,omitempty" json:"work,omitempty"`           // digest of the work on the run's branch that was approved; "" for an approval before work
	Approvals []Vote `yaml:"approvals,omitempty" json:"approvals,omitempty"` // one of each person, where a rule requires several
}

// ApprovalKeys lists the keys of an approval in the front matter.
func ApprovalKeys() []string { return keysIn("approval") }

// Vote is one person's approval of the content with the hash Approval.Hash.
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

// WaitsKey is the front-matter key of a spec that an agent has written inside a run. Its value is ForReview.
const (
	WaitsKey  = "waits_for"
	ForReview = "review"
)

// ApprovalBlock returns how approval holds the spec back, and the zero Hold if it does not. While the copy on a run's
// branch is authoritative, people approve the copy in home: what the run writes into its own copy voids no approval.
// Approval of work is read from the copy on the branch.
func (s *Spec) ApprovalBlock() Hold {
	a := s.Fields.Approval
	if a == nil {
		a = &Approval{}
	}
	// A person decides on the copy in home, even while a run writes its own copy.
	if s.Home != nil {
		if hold := s.Home.ApprovalBlock(); hold.Exists() {
			return hold
		}
	}
	switch {
	case a.Status == Rejected:
		return Hold{Kind: HeldByRejection}
	case s.Home != nil && a.Work == "":
		// The approval of home's copy was checked above.
		return Hold{}
	case a.Status == Approved && s.checksContent() && a.Hash != s.content.hash():
		return Hold{Kind: HeldByEdit}
	}
	return s.missingApproval(a)
}

// checksContent reports whether the approval is compared with the spec's present content.
func (s *Spec) checksContent() bool {
	a := s.Fields.Approval
	return a.Hash != "" && (s.Branch == "" || a.Work != "")
}

// missingApproval returns what is still missing in an approval that is not a rejection.
func (s *Spec) missingApproval(a *Approval) Hold {
	waits := Hold{Kind: HeldForApproval}
	if a.Work != "" {
		waits.Kind = HeldForWork
	}
	// The rules of the project apply even to a spec that does not ask for approval.
	for _, rule := range s.rulesFor() {
		given := 0
		for _, v := range s.votes() {
			if rule.accepts(v.By) {
				given++
			}
		}
		if given < rule.Count {
			waits.More = rule.missingVotes(given)
			return waits
		}
	}
	// Text that an agent wrote could set an agent to work without any person having read it.
	if s.Fields.WaitsFor != "" && a.Status != Approved {
		waits.More = ", since an agent wrote it"
		return waits
	}
	if a.Required && a.Status != Approved {
		return waits
	}
	return Hold{}
}

// SameApproval reports whether two approvals are equal. nil equals an empty approval.
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

// SplitPerson splits "Name <mail>". A text without that form is returned both as the name and as the mail.
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
	// The same person may write an address in another case.
	return strings.EqualFold(x, y)
}

// SetApproval returns the document with another approval, or without one for nil. Keys below `approval` that belong to
// another program are kept, except when the approval is removed.
func SetApproval(doc *markdown.Document, a *Approval) (*markdown.Document, error) {
	// An approved spec no longer waits for review.
	if a != nil && a.Status == Approved {
		var err error
		if doc, err = doc.Apply(markdown.Unset(WaitsKey)); err != nil {
			return nil, err
		}
	}
	// Writing an equal approval again would reformat the front matter and make a commit without content.
	var was *Approval
	if _, err := doc.Get("approval", &was); err == nil && SameApproval(was, a) {
		return doc, nil
	}
	if a == nil {
		return doc.Apply(markdown.Unset("approval"))
	}
	var next, old yaml.Node
	if err := next.Encode(a); err != nil {
		return nil, err
	}
	if found, err := doc.Get("approval", &old); err == nil && found && old.Kind == yaml.MappingNode {
		// The keys of chant are replaced as a whole, including those that the new approval leaves out.
		own := keysIn("approval")
		for i := 0; i+1 < len(old.Content); i += 2 {
			if !slices.Contains(own, old.Content[i].Value) {
				next.Content = append(next.Content, old.Content[i], old.Content[i+1])
			}
		}
	}
	return doc.Apply(markdown.Set("approval", &next))
}

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
	// The labels are collected once for all rules.
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
	// Votes for an earlier text do not count for the present one.
	if a == nil || a.Status == Rejected || s.checksContent() && a.Hash != s.content.hash() {
		return nil
	}
	// The votes of the spec itself must not change.
	all := slices.Clone(a.Approvals)
	if a.Status == Approved && a.By != "" {
		all = append(all, Vote{By: a.By, At: a.At})
	}
	var out []Vote
	for _, v := range all {
		// One person could otherwise give all the approvals that a rule requires.
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
		// Earlier votes were given for another text or other work otherwise.
		if a.Work == work && a.Hash == next.Hash {
			before = slices.DeleteFunc(s.votes(), func(o Vote) bool { return samePerson(o.By, v.By) })
		}
	}
	next.By, next.At = v.By, v.At
	// A single approval is recorded by its own keys.
	if votes := append(before, v); slices.ContainsFunc(s.rulesFor(), func(r ApprovalRule) bool { return r.Count > 1 }) {
		next.Approvals = votes
	}
	// The rules are tried on a copy, because the approval may turn out to be incomplete.
	then := s.Spec
	if s.Home != nil {
		then.addLabelsOf(s.Home)
	}
	then.Fields.Approval, then.Home = &next, nil
	if then.missingApproval(&next).Exists() {
		// The keys name a decision, and it has not been made while votes are missing.
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
	// Copies of the spec share the slice.
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
