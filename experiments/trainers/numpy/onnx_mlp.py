"""Writes a perceptron as ONNX without any package but numpy: protobuf by hand, see onnx.proto3 of the ONNX project for the numbers."""

import numpy

OPSET = 17
FLOAT = 1


def perceptron(layers):
    """ONNX from observations [rows, I] to logits [rows, A]: tanh(x W + b) layer by layer, the last without tanh.

    layers  pairs (W [inputs, outputs], b [outputs])
    """
    nodes, initializers, value = [], [], "observations"
    for index, (weight, bias) in enumerate(layers):
        is_last = index == len(layers) - 1
        names = [f"weight{index}", f"bias{index}"]
        initializers += [_tensor(names[0], weight), _tensor(names[1], bias)]
        sum_name = "logits" if is_last else f"sum{index}"
        nodes.append(_node("Gemm", [value, *names], sum_name))
        if not is_last:
            nodes.append(_node("Tanh", [sum_name], f"hidden{index}"))
        value = f"hidden{index}"
    graph = b"".join(_bytes(1, node) for node in nodes) + _text(2, "policy")
    graph += b"".join(_bytes(5, tensor) for tensor in initializers)
    graph += _bytes(11, _port("observations", layers[0][0].shape[0]))
    graph += _bytes(12, _port("logits", layers[-1][0].shape[1]))
    return _number(1, 8) + _text(2, "numpy") + _bytes(7, graph) + _bytes(8, _number(2, OPSET))


def _node(operator, inputs, output):
    return b"".join(_text(1, name) for name in inputs) + _text(2, output) + _text(4, operator)


def _tensor(name, values):
    content = numpy.ascontiguousarray(values, numpy.float32)
    dimensions = b"".join(_number(1, length) for length in content.shape)
    return dimensions + _number(2, FLOAT) + _text(8, name) + _bytes(9, content.tobytes())


def _port(name, width):
    shape = _bytes(1, _text(2, "rows")) + _bytes(1, _number(1, width))
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, FLOAT) + _bytes(2, shape)))


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, content):
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field, text):
    return _bytes(field, text.encode())


def _varint(value):
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)
