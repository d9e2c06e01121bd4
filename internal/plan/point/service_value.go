package point

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/schedule"
	"rpcbench/internal/stack"
)

// some accepts any text but none.
func some(text string) (string, error) {
	if text == "" {
		return "", errors.New("it is empty")
	}
	return text, nil
}

func fileOf(path string) (string, error) {
	path, err := some(path)
	return "@" + path, err
}

// methodName accepts a method of gRPC; whether there is one of the name is the schema's to say.
func methodName(text string) (string, error) {
	if text == "" {
		return "", errors.New("it is empty; a method is named as package.Service/Method")
	}
	return name(text)
}

// verb accepts a method of HTTP; whether it is one is the request's to say. They are written in capitals.
func verb(text string) (string, error) {
	text, err := some(text)
	if err != nil {
		err = errors.New("it is empty; it is a method of HTTP, such as PUT")
	}
	return strings.ToUpper(text), err
}

// statuses accepts those of HTTP that are a success.
func statuses(text string) (string, error) {
	all, err := stack.ParseStatuses(text)
	if err == nil && len(all) == 0 {
		err = errors.New("it is empty; expected are statuses such as 200, 404 or 4xx")
	}
	return all.String(), err
}

func yesNo(text string) (bool, error) {
	switch text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, fmt.Errorf("%q is neither true nor false", text)
	}
}

func messageRate(text string) (float64, error) {
	rate, err := schedule.ParseDecimal(text)
	if err != nil || !(rate > 0) || rate > PerSecMax {
		return 0, fmt.Errorf("%q is not a rate of more than 0 and at most %d messages a second", text, PerSecMax)
	}
	return rate, nil
}

// several accepts a text, or a list of texts.
func several(n Node) ([]string, error) {
	var texts []string
	for _, item := range n.Items() {
		text, err := scalarOf(some)(item)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// metadata accepts it as: a map of names, or a list of texts such as "name: value".
func metadata(n Node) ([]string, error) {
	if n.Form != Map {
		return several(n)
	}
	var list []string
	for _, f := range n.Fields {
		if f.Value.Form != Scalar {
			return nil, fmt.Errorf("%s: %s is given; expected one value", f.Name, f.Value.Form)
		}
		list = append(list, f.Name+": "+f.Value.Text)
	}
	return list, nil
}

var tlsKeys = []string{"ca", "cert", "key", "server_name", "skip_verify"}

func tls(n Node) (TLS, error) {
	if n.Form != Map {
		return TLS{}, fmt.Errorf("%s is given; expected a map such as {ca: ca.pem}", n.Form)
	}
	texts, err := texts(n)
	if err != nil {
		return TLS{}, err
	}
	t := TLS{CA: texts["ca"], Cert: texts["cert"], Key: texts["key"], ServerName: texts["server_name"]}
	for name := range texts {
		if !slices.Contains(tlsKeys, name) {
			return t, fmt.Errorf("unknown key %q%s", name, hint.Of(name, tlsKeys))
		}
	}
	if text, ok := texts["skip_verify"]; ok {
		if t.SkipVerify, err = yesNo(text); err != nil {
			return t, fmt.Errorf("skip_verify: %w", err)
		}
	}
	return t, t.check()
}

func (t TLS) check() error {
	switch {
	case (t.Cert == "") != (t.Key == ""):
		return errors.New("cert and key must be given together")
	case t.SkipVerify && t.CA != "":
		return errors.New("skip_verify accepts any certificate, and ca only some: give one of them")
	default:
		return nil
	}
}
