package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"chant/text"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// message is one JSON-RPC message of a client.
type message struct {
	id      json.RawMessage // string or number; nil for a notification
	method  string          // empty for an answer to a request of ours
	params  json.RawMessage // object; nil when absent
	result  json.RawMessage // of an answer
	refusal json.RawMessage // the error of an answer; nil when it has a result
	tools   *toolRequest    // what tools/list and tools/call ask for; nil for other methods
}

// answers reports whether the message is an answer to a request of ours.
func (m message) answers() bool { return m.result != nil || m.refusal != nil }

// rpcError is an error reply, with the id of its request as far as it is known.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    any             `json:"data,omitempty"`
	id      json.RawMessage // nil = null
}

// reply is the answer to a request.
type reply struct {
	JSONRPC string          `json:"jsonrpc"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
	ID      json.RawMessage `json:"id"`
}

// parse reads a message. Member names are matched exactly, and a message that is
// not JSON is distinguished from one that is not a request.
func parse(body []byte) (message, *rpcError) {
	// The decoder would replace invalid bytes without a word.
	if !utf8.Valid(body) {
		return message{}, &rpcError{Code: mcpgo.PARSE_ERROR, Message: "Parse error: message is not valid UTF-8"}
	}
	// Decoding into a map keeps member names exact: a struct would match them in any case.
	var members map[string]json.RawMessage
	err := json.Unmarshal(body, &members)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch) && bytes.HasPrefix(body, []byte("[")):
		return message{}, invalid("batches are not supported", nil)
	case errors.As(err, &mismatch), err == nil && members == nil:
		return message{}, invalid("expected an object", nil)
	case err != nil:
		return message{}, &rpcError{Code: mcpgo.PARSE_ERROR, Message: "Parse error: " + err.Error()}
	}
	return read(members)
}

// read checks the members of a message one by one.
func read(members map[string]json.RawMessage) (message, *rpcError) {
	var m message
	if id := members["id"]; len(id) > 0 && string(id) != "null" {
		if id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
			return m, invalid("id must be a string or a number", nil)
		}
		m.id = id
	}
	var version string
	if json.Unmarshal(members["jsonrpc"], &version) != nil || version != mcpgo.JSONRPC_VERSION {
		return m, &rpcError{Code: mcpgo.INVALID_REQUEST, Message: "Invalid JSON-RPC version", id: m.id}
	}
	method, asks := members["method"]
	if !asks {
		if m.result, m.refusal = members["result"], members["error"]; m.answers() {
			return m, nil
		}
		return m, invalid("method is missing", m.id)
	}
	if json.Unmarshal(method, &m.method) != nil || m.method == "" {
		return m, invalid("method must be a string", m.id)
	}
	if p := members["params"]; len(p) > 0 && string(p) != "null" {
		m.params = p
	}
	m.tools = readToolRequest(m)
	return m, nil
}

func invalid(why string, id json.RawMessage) *rpcError {
	return &rpcError{Code: mcpgo.INVALID_REQUEST, Message: "Invalid request: " + why, id: id}
}

// encode writes the message out again, with nothing in it that was not checked.
func (m message) encode() (json.RawMessage, error) {
	return json.Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{mcpgo.JSONRPC_VERSION, m.id, m.method, m.params})
}

// body is the reply in bytes. An error is sent under its own id, null if it has
// none.
func (r reply) body() ([]byte, error) {
	r.JSONRPC = mcpgo.JSONRPC_VERSION
	if r.Error != nil {
		r.ID = r.Error.id
	}
	if r.ID == nil {
		r.ID = json.RawMessage("null")
	}
	return text.JSON(r, "")
}
