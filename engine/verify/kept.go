package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// kept is evidence as it lies in a cache.
type kept struct {
	Evidence Evidence `json:"evidence"`
	Seal     string   `json:"seal"` // of key and evidence
}

// key names a step in a tree: what it runs, where, and with what environment. ""
// keeps nothing.
func (c *checker) key(step Step, env []string) string {
	if c.Cache == nil || c.TreeID == "" {
		return ""
	}
	raw, err := json.Marshal([]any{c.TreeID, step.Line, step.Ways.Dir, step.Ways.Timeout, slices.Sorted(slices.Values(env))})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// find looks up what was kept; nil where there is nothing, or nothing to believe.
func (c *checker) find(key string) (*Evidence, error) {
	if key == "" || c.Fresh {
		return nil, nil
	}
	text, err := c.Cache.Find(key)
	if err != nil || text == nil {
		return nil, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil || k.Seal != k.Evidence.seal(key) {
		c.warn(fmt.Sprintf("kept evidence %s was edited: its seal does not match; running the command again", key[:12]))
		return nil, nil
	}
	k.Evidence.Cached = true
	return &k.Evidence, nil
}

// keep keeps what ended by itself at the first try: only that would be the same again.
func (c *checker) keep(key string, ev Evidence) error {
	if key == "" || ev.TimedOut || ev.Tries > 0 {
		return nil
	}
	text, err := json.Marshal(kept{ev, ev.seal(key)})
	if err != nil {
		return err
	}
	return c.Cache.Keep(key, text)
}

func (c *checker) warn(text string) {
	if c.Warn != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.Warn(text)
	}
}

func (e Evidence) seal(key string) string {
	raw, err := json.Marshal(e)
	if err != nil {
		return "" // no number in it can be one that JSON does not have
	}
	sum := sha256.Sum256(append([]byte(key), raw...))
	return hex.EncodeToString(sum[:])
}
