package engine

import (
	"context"
	"errors"
	"slices"

	"chant/engine/store"
	"chant/gitops"
)

// underTarget puts the project under the gates of its target too while home has another
// branch checked out: what lands there passes what is asked there, and a branch can ask
// for more but not for less. All other settings stay home's. Errors: that of a broken
// config.md on the target, for then nobody knows what it asks.
func (e *Engine) underTarget(ctx context.Context, target string) error {
	head, err := e.repo.Head(ctx, e.repo.Home())
	if err != nil || head.Branch == target {
		return err
	}
	src, err := e.repo.ReadFile(ctx, "refs/heads/"+target, store.ConfigPath)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil // git ignores .chant, or the target has none yet
	}
	if err != nil {
		return err
	}
	there := defaultConfig(e.Home())
	if err := there.read(src, e.Home()); err != nil {
		return fail(Invalid, "git switch "+target, "the gates of %q cannot be read: %s", target, err)
	}
	e.config.tighten(there)
	e.store.Rules = e.config.Approval.rules()
	return nil
}

// tighten adds the gates of other settings to these.
func (c *Config) tighten(by *Config) {
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
