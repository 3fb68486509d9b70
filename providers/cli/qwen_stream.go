package cli

import (
	"regexp"
	"strings"
	"sync"

	"chant/providers"
)

// qwenDecoder reads the stream-json output of qwen, which has the shape of Claude's. Between its lines are those of the
// clients of the models' APIs: qwen itself asks again for minutes without a word.
type qwenDecoder struct{ claudeDecoder }

// clientLine matches a line of the clients of OpenAI and Anthropic, and what they say of a request that failed.
var clientLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[log_\w+(?:, retryOf: log_\w+)?\] (?:.*?((?:connection )?(?:failed|timed out)\b.* - (?:retrying, .*|error; no more retries left)))?`)
})

// Line implements providers.Decoder.
func (d *qwenDecoder) Line(line []byte) []providers.Event {
	found := clientLine().FindSubmatch(line)
	switch {
	case found == nil:
		return d.claudeDecoder.Line(line)
	case len(found[1]) > 0:
		return []providers.Event{{Kind: providers.Retry, Text: string(found[1])}}
	}
	return nil
}

// Finish implements providers.Decoder. A text of qwen's own in the place of an answer is none.
func (d *qwenDecoder) Finish(exit providers.Exit) providers.Verdict {
	v := d.claudeDecoder.Finish(exit)
	// qwen reports success with such a text in the place of an answer.
	if v.OK && strings.HasPrefix(v.Text, "[API Error: ") {
		v.Fail(0, v.Text)
	}
	return v
}
