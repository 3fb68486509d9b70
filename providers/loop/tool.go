package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chant/text"
)

// Tool is something the model may call. Call gets an object of JSON; its error is sent
// to the model unchanged, so it says what to do instead.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // of the input, an object
	Call              func(ctx context.Context, input json.RawMessage) (string, error)
}

// toolbox is the set of tools that the model is offered.
type toolbox struct {
	config  Config
	tree    *tree
	environ []string
	more    []Tool // that were given

	tools []Tool
	said  int // bytes of one answer that are kept
}

func newToolbox(c Config, t *tree, environ []string, more []Tool) toolbox {
	// An eighth of what the model takes, so that a few answers have room.
	return toolbox{config: c, tree: t, environ: environ, more: more}.withRoom(min(32<<10, max(2<<10, c.Context/2)))
}

// minSaid is the least that a tool may say in bytes; its own notes take some of it.
const minSaid = 512

// withRoom is the toolbox with other room for an answer, so that each tool itself says how
// to get at what it leaves out. The loop's own tools come before those that were given,
// and win against one of their name.
func (b toolbox) withRoom(said int) toolbox {
	b.said = max(minSaid, said)
	files := files{b.tree, b.said}
	b.tools = []Tool{files.readTool(), files.listTool(), files.searchTool()}
	if c := b.config; !c.ReadOnly {
		run := shell{dir: c.Worktree, environ: b.environ, limit: c.commandTimeout(), said: b.said}
		b.tools = append(b.tools, files.writeTool(), files.editTool(), run.tool())
	}
	for _, tool := range b.more {
		// The loop's own tools win against one of their name.
		if !b.hasTool(tool.Name) {
			b.tools = append(b.tools, tool)
		}
	}
	return b
}

// files are the tools on files: those of one tree, with bounded answers.
type files struct {
	tree *tree
	said int // bytes of an answer
}

func (b toolbox) hasTool(name string) bool {
	return slices.ContainsFunc(b.tools, func(t Tool) bool { return t.Name == name })
}

// call carries out one call. Whatever is wrong with it is an answer.
func (b toolbox) call(ctx context.Context, c call) (string, error) {
	i := slices.IndexFunc(b.tools, func(t Tool) bool { return t.Name == c.Tool })
	if i < 0 {
		var names []string
		for _, t := range b.tools {
			names = append(names, t.Name)
		}
		return "", fmt.Errorf("unknown tool %q (one of %s)", text.ClipBytes(c.Tool, 80), strings.Join(names, ", "))
	}
	input := strings.TrimSpace(c.Input)
	if input == "" || input == "null" {
		input = "{}"
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(input), &fields); err != nil {
		return "", fmt.Errorf("the arguments of %s are not a JSON object: %s. They look like %s", c.Tool, err, b.tools[i].example())
	}
	if name := b.tools[i].missingField(fields); name != "" {
		return "", fmt.Errorf("%s needs %q, which is missing. Its arguments look like %s", c.Tool, name, b.tools[i].example())
	}
	answer, err := b.tools[i].Call(ctx, json.RawMessage(input))
	// A tool that does not heed its bound must not fill the context.
	return text.Ends(answer, b.said), bounded(err, b.said)
}

// bounded is an error whose text is kept short. A denied path stays one.
func bounded(err error, limit int) error {
	if err == nil || len(err.Error()) <= limit {
		return err
	}
	return fmt.Errorf("%s", text.Ends(err.Error(), limit))
}
