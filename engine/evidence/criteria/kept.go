package criteria

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// part is a part of a plan whose evidence is cached together: the items of the spec, or those of the
// project.
type part struct {
	items []Item
	key   string // of its evidence in the cache, "" if it is not cached
}

// cachedPart is the evidence of a part in a cache.
type cachedPart struct {
	Verdicts []Verdict `json:"verdicts"` // of the items with commands
	Seal     string    `json:"seal"`     // of key and verdicts
}

// judgeParts judges the items of the spec and then those of the project. Cached evidence of the spec is used only if
// the project's commands need not run after it, and evidence of the project is cached only if the tree was clean before
// it: otherwise one part could depend on files of the other.
func (c *checker) judgeParts(ctx context.Context, plan Plan) ([]Verdict, error) {
	at := slices.IndexFunc(plan.Items, func(item Item) bool { return item.Source == FromProject })
	if at < 0 {
		at = len(plan.Items)
	}
	own, err := c.partOf(ctx, plan.Items[:at])
	if err != nil {
		return nil, err
	}
	project, err := c.partOf(ctx, plan.Items[at:])
	if err != nil {
		return nil, err
	}
	// Looked for first: if the project's commands have to run, those of the spec must run before them in the same tree.
	theirs, err := c.find(project)
	if err != nil {
		return nil, err
	}
	var ours []Verdict
	if theirs != nil || len(project.items) == 0 {
		if ours, err = c.find(own); err != nil {
			return nil, err
		}
	}
	clean := true
	if ours == nil {
		if ours, clean, err = c.judgePart(ctx, own, clean); err != nil {
			return ours, err
		}
	}
	if theirs == nil {
		theirs, _, err = c.judgePart(ctx, project, clean)
	}
	return append(ours, theirs...), err
}

// partOf returns a part with its key, the hash of its commands, their tree and their environment.
func (c *checker) partOf(ctx context.Context, items []Item) (part, error) {
	p := part{items: items}
	if c.Cache == nil || c.TreeID == "" || c.Clean == nil {
		return p, nil
	}
	about := []any{c.TreeID, c.parallel}
	for _, item := range items {
		for _, step := range item.Steps {
			env, err := c.environment(ctx, c.first, step)
			if err != nil {
				return p, err
			}
			about = append(about, item.ID, step.Line, step.Options.Dir, step.Options.Timeout, step.Options.Retries, step.Options.Repeat, step.Options.Network, slices.Sorted(slices.Values(env)))
		}
	}
	raw, err := json.Marshal(about)
	sum := sha256.Sum256(raw)
	if p.key = hex.EncodeToString(sum[:]); len(about) == 2 {
		// It has no commands.
		p.key = ""
	}
	return p, err
}

// find returns the cached verdicts of a part; nil without valid ones.
func (c *checker) find(p part) ([]Verdict, error) {
	if p.key == "" || c.Fresh {
		return nil, nil
	}
	text, err := c.Cache.Find(p.key)
	if err != nil || text == nil {
		return nil, err
	}
	var k cachedPart
	if err := json.Unmarshal(text, &k); err != nil || k.Seal != seal(p.key, k.Verdicts) {
		c.warn(fmt.Sprintf("kept evidence %s was edited: its seal does not match; running the commands again", p.key[:12]))
		return nil, nil
	}
	out := make([]Verdict, 0, len(p.items))
	for _, item := range p.items {
		v := item.boxVerdict()
		if len(item.Steps) > 0 {
			i := slices.IndexFunc(k.Verdicts, func(v Verdict) bool { return v.ID == item.ID })
			if i < 0 {
				return nil, nil
			}
			v = k.Verdicts[i]
			// Order and wording of criteria may have changed, which the key does not depend on.
			v.Number, v.Text, v.Line, v.Guard, v.Added = item.Number, item.Text, item.Line, item.Guard, item.Added
			for j := range v.Evidence {
				v.Evidence[j].Cached = true
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// judgePart runs the commands of a part. It caches their evidence if the tree was clean before and is clean after: only
// then they would give the same result again. It reports whether the tree is still clean.
func (c *checker) judgePart(ctx context.Context, p part, clean bool) ([]Verdict, bool, error) {
	verdicts, err := c.judgeAll(ctx, p.items)
	if err != nil || p.key == "" {
		return verdicts, clean, err
	}
	if clean {
		// Evidence from a tree that a command has changed would not be that of the commit.
		if clean, err = c.Clean(ctx); err != nil {
			return verdicts, false, err
		}
	}
	var ran []Verdict
	mayDiffer := false
	for _, v := range verdicts {
		if v.How == ByRunning {
			ran = append(ran, v)
		}
		// An agent that works beside it may have made it fail.
		mayDiffer = mayDiffer || c.BesideAgent && v.FailsWithNetwork()
		for _, ev := range v.Evidence {
			clean = clean && !ev.TimedOut
			mayDiffer = mayDiffer || ev.isFlaky()
		}
	}
	if mayDiffer {
		return verdicts, clean, nil
	}
	if !clean {
		return verdicts, false, nil
	}
	text, err := json.Marshal(cachedPart{ran, seal(p.key, ran)})
	if err != nil {
		return verdicts, clean, err
	}
	return verdicts, clean, c.Cache.Keep(p.key, text)
}

func (c *checker) warn(text string) {
	if c.Warn != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.Warn(text)
	}
}

func seal(key string, verdicts []Verdict) string {
	raw, err := json.Marshal(verdicts)
	if err != nil {
		// It cannot fail: verdicts contain only numbers that JSON has.
		return ""
	}
	sum := sha256.Sum256(append([]byte(key), raw...))
	return hex.EncodeToString(sum[:])
}
