package loop

import (
	"context"
	"encoding/json"
	"fmt"
)

type writeInput struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (f files) writeTool() Tool {
	return Tool{
		Name: "write_file", Description: "Write a file, new or over the old one, with its folders",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`),
		Call: func(_ context.Context, input json.RawMessage) (string, error) {
			in, err := arguments[writeInput](input)
			if err != nil {
				return "", err
			}
			at, err := f.tree.write(in.Path, []byte(in.Content))
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("wrote %d bytes to %s", len(in.Content), at), nil
		},
	}
}
