package config

import "slices"

// Tighten adds the gates of other settings to these.
func (c *Config) Tighten(by *Config) {
	c.Approval.AgentWork = c.Approval.AgentWork || by.Approval.AgentWork
	c.Validation.Strict = c.Validation.Strict || by.Validation.Strict
	c.Verify.Require = c.Verify.Require || by.Verify.Require
	for _, rule := range by.Approval.Rules {
		if !slices.ContainsFunc(c.Approval.Rules, rule.same) {
			c.Approval.Rules = append(c.Approval.Rules, rule)
		}
	}
	for _, key := range by.Enterprise.Required {
		if !slices.Contains(c.Enterprise.Required, key) {
			c.Enterprise.Required = append(c.Enterprise.Required, key)
		}
	}
}

func (r approvalRule) same(other approvalRule) bool {
	return r.Label == other.Label && r.Count == other.Count && slices.Equal([]string(r.Approvers), []string(other.Approvers))
}
