package questions

import (
	"context"

	"chant/engine"
)

// Received is an answer that an agent receives.
type Received struct {
	Question int    `json:"question"`
	Prompt   string `json:"prompt"`
	Answer   string `json:"answer"`
}

// Receive returns the answers that wait for the agent where the caller is, and records that it has received them.
func Receive(ctx context.Context, p *engine.Project) ([]Received, error) {
	place, _ := placeHere(ctx, p)
	answers, err := box(p).Receive(ctx, place)
	var out []Received
	for _, q := range answers {
		out = append(out, Received{q.Number, q.Prompt, q.Answer})
	}
	return engine.Done(out, err, p.Store.RunOf())
}
