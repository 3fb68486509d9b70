package config

import (
	"fmt"
	"strings"

	"chant/engine/shape"
	"chant/engine/spec"

	"go.yaml.in/yaml/v3"
)

// approvalConfig says which specs wait for people, and for whom.
type approvalConfig struct {
	AgentWork bool            `yaml:"require_approval_for_agent_work"` // what an agent made lands when a person has approved it
	Rejection rejectionAction `yaml:"rejection_action"`                // what reject does beside, manual
	Rules     []approvalRule  `yaml:"rules"`
}

// approvalRule asks for approval of all specs with a label.
type approvalRule struct {
	Label     string          `yaml:"label"`
	Approvers spec.StringList `yaml:"approvers"` // mails; anybody when there are none
	Count     int             `yaml:"count"`     // distinct people, 1
}

// UnmarshalYAML implements yaml.Unmarshaler; its error names everything that is wrong, by
// line.
func (r *approvalRule) UnmarshalYAML(node *yaml.Node) error {
	type plain approvalRule
	r.Count = 1
	if err := node.Decode((*plain)(r)); err != nil {
		return err
	}
	var wrong []string
	refuse := func(line int, format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("line %d: approval.rules: "+format, append([]any{line}, args...)...))
	}
	if r.Label == "" {
		refuse(node.Line, "a rule needs a label")
	}
	for _, mail := range r.Approvers {
		if !strings.Contains(mail, "@") || strings.ContainsAny(mail, "<> ") {
			refuse(shape.Line(node, "approvers", mail), "%q is not a mail address (use one such as ada@example.com)", mail)
		}
	}
	if r.Count < 1 || len(r.Approvers) > 0 && r.Count > len(r.Approvers) {
		refuse(max(node.Line, shape.Line(node, "count")), "%d approvals cannot be given by %d approvers", r.Count, len(r.Approvers))
	}
	return allWrong(wrong)
}

// SpecRules are those of the project as the law of approval knows them.
func (c *approvalConfig) SpecRules() []spec.ApprovalRule {
	var out []spec.ApprovalRule
	for _, r := range c.Rules {
		out = append(out, spec.ApprovalRule{Label: r.Label, Approvers: r.Approvers, Count: r.Count})
	}
	return out
}

// rejectionAction is what becomes of a rejected spec.
type rejectionAction string

// The rejection actions.
const (
	RejectManual     rejectionAction = "manual"     // a person sees to it
	RejectDependency rejectionAction = "dependency" // a new spec mends it first
	RejectGroup      rejectionAction = "group"      // it becomes a driver with a member for each criterion
)

// ParseRejection reads what becomes of a rejected spec; no word means manual. The error lists what is allowed.
func ParseRejection(word string) (rejectionAction, error) {
	switch a := rejectionAction(word); a {
	case "":
		return RejectManual, nil
	case RejectManual, RejectDependency, RejectGroup:
		return a, nil
	}
	return "", fmt.Errorf("unknown rejection action %q (one of manual, dependency, group)", spec.Echo(word))
}

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (a *rejectionAction) UnmarshalYAML(node *yaml.Node) (err error) {
	*a, err = ParseRejection(node.Value)
	return atLine(node, err)
}
