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

// asked are the requests of ours that a client has not answered yet, by id.
type asked struct {
	mu      sync.Mutex
	last    int
	pending map[string]chan<- message
}

// ask sends the client a request and waits for the result. Errors: errCannotAsk,
// what the client refused it with, the context's.
func (s *session) ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if s.send == nil {
		return nil, errCannotAsk
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	// It is known before it is sent, since the answer may come before the send returns.
	id, answer := s.expect()
	defer s.abandon(id)
	request, err := message{id: json.RawMessage(id), method: method, params: raw}.encode()
	if err != nil {
		return nil, err
	}
	if err := s.send(request); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		// The client learns that the answer is no longer wanted, or a person would keep thinking about it.
		return nil, errors.Join(ctx.Err(), s.takeBack(id))
	case a := <-answer:
		if a.refusal != nil {
			return nil, fmt.Errorf("the client refused %s: %s", method, a.refusal)
		}
		return a.result, nil
	}
}

// takeBack notifies the client that a request of ours needs no answer anymore.
func (s *session) takeBack(id string) error {
	params, err := json.Marshal(map[string]json.RawMessage{"requestId": json.RawMessage(id)})
	if err != nil {
		return err
	}
	note, err := message{method: string(mcpgo.MethodNotificationCancelled), params: params}.encode()
	if err != nil {
		return err
	}
	return s.send(note)
}

// expect records a request that is about to be sent.
func (a *asked) expect() (id string, answer <-chan message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pending == nil {
		a.pending = map[string]chan<- message{}
	}
	a.last++
	id = fmt.Sprintf(`"chant-%d"`, a.last)
	// With room for one, the reader never waits for an asker that has given up.
	waiting := make(chan message, 1)
	a.pending[id] = waiting
	return id, waiting
}

func (a *asked) abandon(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.pending, id)
}

// deliver passes an answer to the request that waits for it; without one it is dropped.
func (a *asked) deliver(m message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if waiting := a.pending[string(m.id)]; waiting != nil {
		waiting <- m
		delete(a.pending, string(m.id))
	}
}

// cancelledID is the id that a notification takes back, nil if it does not.
func (m message) cancelledID() json.RawMessage {
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
