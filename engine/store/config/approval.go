package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store/shape"

	"go.yaml.in/yaml/v3"
)

// approvalConfig is the section `approval`: which specs wait for people, and for whom.
type approvalConfig struct {
	AgentWork bool            `yaml:"require_approval_for_agent_work"`   // of what agents did, before it lands
	Rejection rejectionAction `yaml:"rejection_action" rule:"rejection"` // what reject does in addition, manual
	Rules     []approvalRule  `yaml:"rules"`
}

// approvalRule requires approval of all specs with a label.
type approvalRule struct {
	Label     string          `yaml:"label"`
	Approvers spec.StringList `yaml:"approvers"`           // mail addresses; anyone without them
	Count     int             `yaml:"count" rule:"people"` // distinct people, 1
}

// CheckWhole implements shape.Whole.
func (r *approvalRule) CheckWhole(node *yaml.Node, report shape.Report) {
	r.Count = cmp.Or(r.Count, 1)
	if r.Label == "" {
		report(node.Line, "approval.rules: a rule needs a label")
	}
	for _, mail := range r.Approvers {
		// People and angle brackets come from copying "Name <mail>" of git, which would match no person.
		if !strings.Contains(mail, "@") || strings.ContainsAny(mail, "<> ") {
			report(shape.Line(node, "approvers", mail), "approval.rules: %q is not a mail address (use one such as ada@example.com)", mail)
		}
	}
	if len(r.Approvers) > 0 && r.Count > len(r.Approvers) {
		report(max(node.Line, shape.Line(node, "count")), "approval.rules: %d approvals cannot be given by %d approvers", r.Count, len(r.Approvers))
	}
}

// SpecRules returns the rules in the form that package spec applies.
func (c *approvalConfig) SpecRules() []spec.ApprovalRule {
	var out []spec.ApprovalRule
	for _, r := range c.Rules {
		out = append(out, spec.ApprovalRule{Label: r.Label, Approvers: r.Approvers, Count: r.Count})
	}
	return out
}

// rejectionAction is the treatment of a rejected spec.
type rejectionAction string

// The rejection actions.
const (
	RejectManual     rejectionAction = "manual"     // a person decides what follows
	RejectDependency rejectionAction = "dependency" // a new spec repairs it first
	RejectGroup      rejectionAction = "group"      // it becomes a driver with a member for each criterion
)

// ParseRejection reads a rejection action; no word means manual. The error lists the valid ones.
func ParseRejection(word string) (rejectionAction, error) {
	switch a := rejectionAction(word); a {
	case "":
		return RejectManual, nil
	case RejectManual, RejectDependency, RejectGroup:
		return a, nil
	}
	return "", fmt.Errorf("unknown rejection action %q (one of manual, dependency, group)", spec.Echo(word))
}

// Tighten adds the gates of other settings to these.
func (c *Config) Tighten(by *Config) {
	// Gates are only ever added: neither of the two settings may lift one of the other.
	c.Approval.AgentWork = c.Approval.AgentWork || by.Approval.AgentWork
	c.Validation.Strict = c.Validation.Strict || by.Validation.Strict
	c.Verify.Require = c.Verify.Require || by.Verify.Require
	if by.Verify.RedFirst == spec.RedRequire {
		c.Verify.RedFirst = spec.RedRequire
	}
	for _, rule := range by.Approval.Rules {
		if !slices.ContainsFunc(c.Approval.Rules, rule.equal) {
			c.Approval.Rules = append(c.Approval.Rules, rule)
		}
	}
	for _, key := range by.Enterprise.Required {
		if !slices.Contains(c.Enterprise.Required, key) {
			c.Enterprise.Required = append(c.Enterprise.Required, key)
		}
	}
}

func (r approvalRule) equal(other approvalRule) bool {
	return r.Label == other.Label && r.Count == other.Count && slices.Equal([]string(r.Approvers), []string(other.Approvers))
}
