package criteria

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// part are the items of a plan whose commands see what those before them have made: what
// the spec asks, or what the project asks.
type part struct {
	items []Item
	key   string // by which its evidence is kept, "" where it is not
}

// kept is the evidence of a part as it lies in a cache.
type kept struct {
	Verdicts []Verdict `json:"verdicts"` // of the items that run something
	Seal     string    `json:"seal"`     // of key and verdicts
}

// parts judges what the spec asks and then what the project does. Evidence of the spec's
// part is taken from the cache only where nothing has to run behind it, and that of the
// project is kept only where nothing lay about before it: otherwise one could lack what
// the other has built.
func (c *checker) parts(ctx context.Context, plan Plan) ([]Verdict, error) {
	at := slices.IndexFunc(plan.Items, func(item Item) bool { return item.Source == FromProject })
	if at < 0 {
		at = len(plan.Items)
	}
	own, err := c.part(ctx, plan.Items[:at])
	if err != nil {
		return nil, err
	}
	project, err := c.part(ctx, plan.Items[at:])
	if err != nil {
		return nil, err
	}
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
		if ours, clean, err = c.fresh(ctx, own, clean); err != nil {
			return ours, err
		}
	}
	if theirs == nil {
		theirs, _, err = c.fresh(ctx, project, clean)
	}
	return append(ours, theirs...), err
}

// part names a part by what it runs, in which tree and with what environment.
func (c *checker) part(ctx context.Context, items []Item) (part, error) {
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
			about = append(about, item.ID, step.Line, step.Ways.Dir, step.Ways.Timeout, step.Ways.Retries, slices.Sorted(slices.Values(env)))
		}
	}
	raw, err := json.Marshal(about)
	sum := sha256.Sum256(raw)
	if p.key = hex.EncodeToString(sum[:]); len(about) == 2 {
		p.key = "" // nothing to run
	}
	return p, err
}

// find looks a part up; nil where nothing was kept, or nothing to believe.
func (c *checker) find(p part) ([]Verdict, error) {
	if p.key == "" || c.Fresh {
		return nil, nil
	}
	text, err := c.Cache.Find(p.key)
	if err != nil || text == nil {
		return nil, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil || k.Seal != seal(p.key, k.Verdicts) {
		c.warn(fmt.Sprintf("kept evidence %s was edited: its seal does not match; running the commands again", p.key[:12]))
		return nil, nil
	}
	out := make([]Verdict, 0, len(p.items))
	for _, item := range p.items {
		v := item.claimed()
		if len(item.Steps) > 0 {
			i := slices.IndexFunc(k.Verdicts, func(v Verdict) bool { return v.ID == item.ID })
			if i < 0 {
				return nil, nil
			}
			v = k.Verdicts[i]
			v.Number, v.Text, v.Line = item.Number, item.Text, item.Line
			for j := range v.Evidence {
				v.Evidence[j].Cached = true
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// fresh runs a part and keeps what it has shown, if the tree was and is clean: only then
// it would be the same again. It reports whether the tree still is.
func (c *checker) fresh(ctx context.Context, p part, clean bool) ([]Verdict, bool, error) {
	verdicts, err := c.judgeAll(ctx, p.items)
	if err != nil || p.key == "" {
		return verdicts, clean, err
	}
	if clean {
		if clean, err = c.Clean(ctx); err != nil {
			return verdicts, false, err
		}
	}
	var ran []Verdict
	for _, v := range verdicts {
		if v.How == ByRunning {
			ran = append(ran, v)
		}
		for _, ev := range v.Evidence {
			clean = clean && !ev.TimedOut
			if ev.Tries > 0 {
				return verdicts, clean, nil // flaky: another time it may say something else
			}
		}
	}
	if !clean {
		return verdicts, false, nil
	}
	text, err := json.Marshal(kept{ran, seal(p.key, ran)})
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
		return "" // no number in it can be one that JSON does not have
	}
	sum := sha256.Sum256(append([]byte(key), raw...))
	return hex.EncodeToString(sum[:])
}
