package task

// Codes of JSON-RPC errors that clients of lotar know.
const (
	CreateFailed     = -32000 // also of references
	ConfigShowFailed = -32001
	ConfigSetFailed  = -32002
	NotFound         = -32004
	UpdateFailed     = -32005
	DeleteFailed     = -32006
	MethodNotFound   = -32601
	InvalidParams    = -32602
	InternalFault    = -32603
)

// Fault is an error with the code, message and data that clients of lotar expect. Operations wrap it, so that
// errors.As finds it in their error.
type Fault struct {
	Code    int
	Message string
	Data    map[string]any // may be nil
}

// Error returns the message.
func (f *Fault) Error() string { return f.Message }

// Invalid returns the fault of parameters that are missing or wrong.
func Invalid(message string) *Fault { return &Fault{Code: InvalidParams, Message: message} }
