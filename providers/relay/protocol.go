package relay

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Variables of a client's environment: where the server listens, and the repository for which it answers.
const (
	SocketKey = "CHANT_BROKER"
	RepoKey   = "CHANT_BROKER_REPO"
)

// Request is a command line that a client wants to have carried out.
type Request struct {
	Args []string `json:"args"` // without the name of the program
	Dir  string   `json:"dir"`  // absolute
	// Terminal are variables about the client's terminal, each K=V.
	Terminal []string `json:"terminal,omitempty"`
}

// reply is the end of a command.
type reply struct {
	Exit int    `json:"exit"`
	Err  string `json:"error,omitempty"` // why it did not run
}

// terminalVariables are the names of what a command gets of its client's environment.
func terminalVariables() []string {
	return []string{"TERM", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "LANG"}
}

// maxTerminal is the most bytes of a variable about a terminal.
const maxTerminal = 256

// terminalOnly keeps of what a client sends the variables about its terminal. Anything else could make the command run
// programs of the client.
func terminalOnly(sent []string) []string {
	var kept []string
	for _, entry := range sent {
		name, value, ok := strings.Cut(entry, "=")
		// With a path in a variable, the command could be made to load a file of the agent.
		if ok && slices.Contains(terminalVariables(), name) && len(value) <= maxTerminal && !strings.ContainsAny(value, "\x00/\n") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// maxFrame is the most bytes of a message.
const maxFrame = 1 << 20

// ErrTooLarge says that a message has more bytes than one may have.
var ErrTooLarge = errors.New("message of more than 1 MiB")

// encode returns a message with its length in front, as 4 bytes, the highest first.
func encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(text) > maxFrame {
		return nil, ErrTooLarge
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...), nil
}

// decode reads a message, of which begin was read before.
func decode(begin []byte, r io.Reader, v any) error {
	r = io.MultiReader(bytes.NewReader(begin), r)
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return fmt.Errorf("length of a message: %w", err)
	}
	n := binary.BigEndian.Uint32(size[:])
	// A client could have any size allocated.
	if n > maxFrame {
		return ErrTooLarge
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return json.Unmarshal(text, v)
}
