package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"chant/providers"
	"chant/text"
)

// The kinds of lines on stdout.
const (
	sayInit       = "init"
	sayText       = "text"
	sayToolCall   = "tool_call"
	sayToolResult = "tool_result"
	sayUsage      = "usage" // running total, after each answer
	sayRetry      = "retry"
	sayDenied     = "denied"
	sayWorking    = "working" // an answer is under way
	sayFinished   = "finished"
)

// resultShown bounds what a line repeats of a tool's answer, in bytes; the transcript
// has all of it.
const resultShown = 4 << 10

type initLine struct {
	Type    string `json:"type"`
	Session string `json:"session"`
	Model   string `json:"model"`
}

type textLine struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type callLine struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
}

type resultLine struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	Tool  string `json:"tool"`
	Text  string `json:"text"`
	Error bool   `json:"error"`
}

type usageLine struct {
	Type string `json:"type"`
	providers.Usage
	Turns int    `json:"turns"`
	Model string `json:"model"`
}

type deniedLine struct {
	Type string `json:"type"`
	Tool string `json:"tool"`
	Text string `json:"text"`
}

type workingLine struct {
	Type  string `json:"type"`
	Bytes int    `json:"bytes"`
}

type finishedLine struct {
	Type   string          `json:"type"`
	OK     bool            `json:"ok"`
	Reason string          `json:"reason,omitempty"`
	Text   string          `json:"text,omitempty"`
	Model  string          `json:"model"`
	Turns  int             `json:"turns"`
	Usage  providers.Usage `json:"usage"`
}

// printer writes lines of JSON, with every occurrence of the key removed.
type printer struct {
	out io.Writer
	key string
}

func (p printer) say(line any) error {
	src, err := text.JSON(line, "")
	if err == nil {
		// The key is removed from the written line, where it is spelled as JSON does.
		_, err = p.out.Write(append(redactKey(src, p.key), '\n'))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errPrint, err)
	}
	return nil
}

// errPrint means that the output is closed.
var errPrint = errors.New("output")

// minKey is the length from which a key is a secret, in bytes.
const minKey = 6

// redactKey replaces a key in a line of JSON. One of a few letters is not a secret, and would
// be found everywhere.
func redactKey(line []byte, key string) []byte {
	// The key is quoted as the line is written.
	quoted, err := text.JSON(key, "")
	if err != nil || len(key) < minKey {
		return line
	}
	return bytes.ReplaceAll(line, bytes.Trim(quoted, `"`), []byte("[key]"))
}
