"""Steps environments of PettingZoo and Gymnasium for Thaw, many in one message. Needs numpy, and what it bridges.

    __main__      starts the process
    serving       answers requests
    protocol      what goes over the pipes
    describing    what Thaw asks of an environment before it uses it
    batch         environments that are stepped together
    slot          one of them
    environments  makes them with their rules, and keeps those that are idle
    named         environments by their names
    layout        what seats see and may do
    patience      how long one environment may take
    refusal       what cannot be bridged, and what to do about it
"""
