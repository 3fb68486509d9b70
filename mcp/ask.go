package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// errCannotAsk is why a request of ours does not reach its client.
var errCannotAsk = errors.New("the client cannot be asked here")

// asked are the requests of ours that a client owes an answer, by id.
type asked struct {
	mu   sync.Mutex
	last int
	owed map[string]chan<- message
}

// ask sends the client a request and waits for the result. Errors: errCannotAsk,
// what the client refused it with, the context's.
func (s *session) ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if s.say == nil {
		return nil, errCannotAsk
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	id, answer := s.owe()
	defer s.forgive(id)
	request, err := message{id: json.RawMessage(id), method: method, params: raw}.encode()
	if err != nil {
		return nil, err
	}
	if err := s.say(request); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-answer:
		if a.refusal != nil {
			return nil, fmt.Errorf("the client refused %s: %s", method, a.refusal)
		}
		return a.result, nil
	}
}

// owe notes a request that is about to be sent.
func (a *asked) owe() (id string, answer <-chan message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.owed == nil {
		a.owed = map[string]chan<- message{}
	}
	a.last++
	id = fmt.Sprintf(`"chant-%d"`, a.last)
	waiting := make(chan message, 1)
	a.owed[id] = waiting
	return id, waiting
}

func (a *asked) forgive(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.owed, id)
}

// settle hands an answer to whoever waits for it; one that nobody waits for any
// more is dropped.
func (a *asked) settle(m message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if waiting := a.owed[string(m.id)]; waiting != nil {
		waiting <- m
		delete(a.owed, string(m.id))
	}
}

// cancelled is the id that a notification takes back, nil if it does not.
func (m message) cancelled() json.RawMessage {
	if m.method != string(mcpgo.MethodNotificationCancelled) {
		return nil
	}
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.params, &params) != nil {
		return nil
	}
	return params.ID
}
