package control

import (
	workerv1 "rpcbench/internal/worker/control/workerv1"

	"rpcbench/internal/stack"
)

// OptionInfos are options as a Hello has them.
func OptionInfos(options []stack.Option) []*OptionInfo {
	var infos []*OptionInfo
	for _, o := range options {
		info := &OptionInfo{
			Name: o.Name, Help: o.Help, Client: o.Client, Server: o.Server, Words: o.Words, DefaultValue: o.Default,
		}
		if o.Numbers != (stack.Range{}) {
			info.Numbers = &workerv1.NumberRange{Min: o.Numbers.Min, Max: o.Numbers.Max}
		}
		infos = append(infos, info)
	}
	return infos
}

// Options are the options of a Hello. Those of a worker that declares no values take any text.
func Options(infos []*OptionInfo) []stack.Option {
	var options []stack.Option
	for _, o := range infos {
		options = append(options, stack.Option{
			Name: o.GetName(), Help: o.GetHelp(), Client: o.GetClient(), Server: o.GetServer(), Words: o.GetWords(),
			Numbers: stack.Range{Min: o.GetNumbers().GetMin(), Max: o.GetNumbers().GetMax()}, Default: o.GetDefaultValue(),
		})
	}
	return options
}
