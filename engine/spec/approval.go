package spec

import (
	"reflect"
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

// ApprovalBlock says whether and how approval holds the spec back. While a
// run's branch speaks, the copy in home is what people approve of, and what the run
// writes into its own voids nothing; approved work is that of the branch.
func (s *Spec) ApprovalBlock() Hold {
	a := s.Fields.Approval
	if a == nil {
		a = &Approval{}
	}
	if s.Home != nil {
		if hold := s.Home.ApprovalBlock(); hold.Exists() {
			return hold
		}
	}
	switch {
	case a.Status == Rejected:
		return Hold{Kind: HeldByRejection}
	case s.Home != nil && a.Work == "":
		return Hold{} // home has said so above
	case a.Status == Approved && s.judgesContent() && a.Hash != ContentHash(s.Doc):
		return Hold{Kind: HeldByEdit}
	}
	return s.lacks(a)
}

// judgesContent reports whether the spec's text is the one that was approved, or not.
func (s *Spec) judgesContent() bool {
	a := s.Fields.Approval
	return a.Hash != "" && (s.Branch == "" || a.Work != "")
}

// lacks says what is missing to a that is not rejected.
func (s *Spec) lacks(a *Approval) Hold {
	waits := Hold{Kind: HeldForApproval}
	if a.Work != "" {
		waits.Kind = HeldForWork
	}
	votes := s.votes()
	for _, rule := range s.rulesFor() {
		given := 0
		for _, v := range votes {
			if rule.takes(v.By) {
				given++
			}
		}
		if given < rule.Count {
			waits.More = rule.wants(given)
			return waits
		}
	}
	if a.Required && a.Status != Approved {
		return waits
	}
	return Hold{}
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
