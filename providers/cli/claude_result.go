package cli

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chant/providers"
)

// claudeResult is the body of the result event, the last word of a session.
type claudeResult struct {
	IsError   json.RawMessage   `json:"is_error"` // no bool: one of another shape would read as false
	Result    string            `json:"result"`
	CostUSD   *float64          `json:"total_cost_usd"`
	Turns     providers.Count   `json:"num_turns"`
	Usage     *claudeUsage      `json:"usage"`
	Errors    []json.RawMessage `json:"errors"`
	APIStatus json.RawMessage   `json:"api_error_status"` // a number
	Terminal  string            `json:"terminal_reason"`
	Denials   []struct {
		Tool string `json:"tool_name"`
	} `json:"permission_denials"`
}

type claudeUsage struct {
	Input       providers.Count `json:"input_tokens"`
	CacheWrites providers.Count `json:"cache_creation_input_tokens"`
	CacheReads  providers.Count `json:"cache_read_input_tokens"`
	Output      providers.Count `json:"output_tokens"`
}

// tokens converts the usage, nil if it is unknown.
func (u claudeUsage) tokens(cachedInside bool) *providers.Usage {
	usage := providers.Counts{Input: u.Input, CachedInput: u.CacheReads, CacheWrites: u.CacheWrites, Output: u.Output}.Usage()
	// Tokens from a cache are counted apart everywhere else, and have another price.
	if cachedInside && usage != nil {
		usage.Input -= min(usage.Input, usage.CachedInput)
	}
	return usage
}

// fill copies what was measured; OK and Reason are the caller's.
func (r claudeResult) fill(v *providers.Verdict, cachedInside bool, before prior) {
	v.Text = r.Result
	// A resumed session reports the sum from its start, of which a part was recorded before.
	v.CostUSD = before.costSince(r.CostUSD)
	v.Turns = r.Turns.N
	if r.Usage != nil {
		v.Usage = before.usageSince(r.Usage.tokens(cachedInside))
	}
	denied := map[string]bool{}
	for _, denial := range r.Denials {
		denied[denial.Tool] = true
	}
	v.Denied = slices.Sorted(maps.Keys(denied))
}

// apiStatus is the HTTP status with which the model's API has answered last, 0 if that is not known.
func (r claudeResult) apiStatus() int {
	status, _ := strconv.Atoi(plain(r.APIStatus)) // 0 for anything else
	return status
}

// reason says in one line why a result with is_error is one: what the CLI
// wrote for people, else the kind of failure, which is not the subtype alone,
// for that may be "success".
func (e claudeEvent) reason() string {
	var texts []string
	for _, raw := range e.Errors {
		texts = append(texts, plain(raw))
	}
	// The texts come before the kinds of failure, since they are written for people.
	if said := strings.Join(texts, "; "); strings.TrimSpace(said) != "" {
		return said
	}
	if strings.TrimSpace(e.Result) != "" {
		return e.Result
	}
	var inner struct{ Message string }
	if json.Unmarshal(e.Error, &inner) == nil && inner.Message != "" {
		return inner.Message
	}
	if status := plain(e.APIStatus); status != "" {
		return "API error " + status
	}
	if e.Terminal != "" {
		return e.Terminal
	}
	return "result event of subtype " + strconv.Quote(e.Subtype)
}
