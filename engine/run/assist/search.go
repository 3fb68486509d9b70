package assist

import (
	"context"

	"chant/engine"
	"chant/engine/code"
)

// SearchInput is a question about code, and how the project's agent is to help.
type SearchInput struct {
	code.SearchInput
	Expand     bool // ask the agent for other words
	Synthesize bool // ask the agent for a summary and for further questions
}

// SearchResult is what was found, the best first, with what the agent has added.
type SearchResult struct {
	code.SearchResult
	Expanded  *Expanded  `json:"expanded_query,omitempty"`
	Synthesis *Synthesis `json:"synthesis,omitempty"`
	FollowUps []FollowUp `json:"follow_up_suggestions,omitempty"`
}

// Expanded is how a query was extended.
type Expanded struct {
	Original   string   `json:"original"`
	Synonyms   []string `json:"synonyms"`
	Related    []string `json:"related_concepts"`
	Variations []string `json:"variations"`
}

// Words returns all that was added to the query.
func (e *Expanded) Words() []string {
	if e == nil {
		return nil
	}
	return append(append(append([]string{}, e.Synonyms...), e.Related...), e.Variations...)
}

// Synthesis is a summary of what was found.
type Synthesis struct {
	Summary    string      `json:"summary"`
	Insights   []string    `json:"key_insights"`
	References []Reference `json:"code_references"`
	Confidence float64     `json:"confidence"` // 0 to 1, by the agent's own judgement
}

// Reference is a place that a summary names.
type Reference struct {
	Path        string `json:"file_path"`             // of a file that was found
	Line        int    `json:"line_number,omitempty"` // 0 for none
	Description string `json:"description"`
}

// FollowUp is a further question.
type FollowUp struct {
	Query     string `json:"query"`
	Rationale string `json:"rationale"`
	Category  string `json:"category"` // deeper_understanding, related_code, how_to, testing, configuration or exploration
}

// Search finds pieces of code as code.Search does, and has the project's agent help where that is asked for. What it
// could not do is a notice in the result. Errors: those of code.Search, and Canceled.
func Search(ctx context.Context, p *engine.Project, in SearchInput) (SearchResult, error) {
	if !in.Expand && !in.Synthesize {
		found, err := code.Search(ctx, p, in.SearchInput)
		return SearchResult{SearchResult: found}, err
	}
	// Before an agent costs anything.
	if err := code.CheckSearch(p, in.SearchInput); err != nil {
		return SearchResult{}, err
	}
	var result SearchResult
	var notices []string
	note := func(part string, err error) {
		if err != nil && ctx.Err() == nil {
			notices = append(notices, part+" was skipped: "+errorText(err))
		}
	}
	// Without an agent the search works as usual, and a notice says why.
	asker, missing := newAsker(p)
	if in.Expand {
		err := missing
		if err == nil {
			result.Expanded, err = expand(ctx, asker, in.Query)
		}
		note("expand_query", err)
		in.Also = result.Expanded.Words()
	}
	var err error
	if result.SearchResult, err = code.Search(ctx, p, in.SearchInput); err != nil {
		return SearchResult{}, err
	}
	if in.Synthesize && len(result.Results) > 0 {
		err := missing
		if err == nil {
			result.Synthesis, result.FollowUps, err = synthesize(ctx, asker, result.SearchResult)
		}
		note("synthesize", err)
	}
	result.Notices = append(notices, result.Notices...)
	return result, engine.Wrap(ctx.Err(), "")
}
