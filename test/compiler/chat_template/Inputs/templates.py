# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chat templates put together as those of well-known models are: which statements, filters and turns they use."""

CHATML = """{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}
{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
"""

LLAMA2 = """{%- if messages and messages[0]['role'] == 'system' -%}
  {%- set opening = messages[0]['content'] | trim -%}
  {%- set turns = messages[1:] -%}
{%- else -%}
  {%- set opening = false -%}
  {%- set turns = messages -%}
{%- endif -%}
{%- for turn in turns -%}
  {%- if (turn['role'] == 'user') != (loop.index0 % 2 == 0) -%}
    {{ raise_exception('user and assistant take turns, but number ' ~ loop.index ~ ' is ' + turn.role) }}
  {%- endif -%}
  {%- if loop.index0 == 0 and opening != false -%}
    {%- set body = '<<SYS>>\\n' + opening + '\\n<</SYS>>\\n\\n' + turn['content'] -%}
  {%- else -%}
    {%- set body = turn['content'] -%}
  {%- endif -%}
  {%- if turn['role'] == 'user' -%}
    {{ bos_token + '[INST] ' + body.strip() + ' [/INST]' }}
  {%- elif turn['role'] == 'assistant' -%}
    {{ ' ' + body.strip() + ' ' + eos_token }}
  {%- endif -%}
{%- endfor -%}
"""

LLAMA3 = """{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- if not tools is defined %}
    {%- set tools = none %}
{%- endif %}
{#- The system's text comes first. #}
{%- if messages and messages[0]['role'] == 'system' %}
    {%- set opening = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set opening = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
{%- endif %}
{{- "Today Date: " + date_string + "\\n\\n" }}
{%- if tools is not none %}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- opening }}{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("one call at a time") }}
        {%- endif %}
        {%- set call = message.tool_calls[0].function %}
        {{- '{"name": "' + call.name + '", "parameters": ' }}{{- call.arguments | tojson }}{{- "}<|eot_id|>" }}
    {%- else %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or (message.content is iterable and message.content is not string) %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

QWEN2 = """{% for message in messages %}
{% if loop.first and messages[0]['role'] != 'system' %}
{{ '<|im_start|>system\\nBe of help.<|im_end|>\\n' }}
{% endif %}
    {% if message.role == "assistant" %}
{% generation %}{{ '<|im_start|>' ~ message.role ~ '\\n' ~ (message.content or '') ~ '<|im_end|>' }}{% endgeneration %}

    {% else %}
{{ '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>' }}
    {% endif %}
{% endfor %}
{{- '<|im_start|>assistant\\n' if add_generation_prompt }}
"""

QWEN3 = """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages and messages[0].role == 'system' %}
        {{- messages[0].content + '\\n\\n' }}
    {%- endif %}
    {{- "# Tools\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- elif messages and messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(searching=true, last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.searching and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.searching = false %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set thought = '' %}
        {%- if message.reasoning_content is string %}
            {%- set thought = message.reasoning_content %}
        {%- else %}
            {%- if '</think>' in content %}
                {%- set thought = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
                {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
            {%- endif %}
        {%- endif %}
        {%- if loop.index0 > ns.last and (loop.last or (not loop.last and thought)) %}
            {{- '<|im_start|>' + message.role + '\\n<think>\\n' + thought.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {%- if message.tool_calls %}
            {%- for call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}
                    {{- '\\n' }}
                {%- endif %}
                {%- if call.function %}
                    {%- set call = call.function %}
                {%- endif %}
                {{- '<tool_call>\\n{"name": "' }}{{- call.name }}{{- '", "arguments": ' }}
                {%- if call.arguments is string %}{{- call.arguments }}{%- else %}{{- call.arguments | tojson }}{%- endif %}
                {{- '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' }}{{- content }}{{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""

MISTRAL = """{%- set turns = messages | rejectattr("role", "equalto", "system") | list %}
{%- set users = messages | selectattr('role', 'equalto', 'user') | list %}
{{- bos_token }}
{%- for message in turns if message.role in ['user', 'assistant'] %}
    {%- if message.role == 'user' %}
        {%- if tools is not none and message == users[-1] %}
            {{- "[AVAILABLE_TOOLS] [" }}
            {%- for tool in tools %}
                {%- set tool = tool.function %}
                {{- '{"type": "function", "function": {' }}
                {%- for key, val in tool.items() if key != "return" %}
                    {%- if val is string %}
                        {{- '"' + key + '": "' + val + '"' }}
                    {%- else %}
                        {{- '"' + key + '": ' + val|tojson }}
                    {%- endif %}
                    {%- if not loop.last %}
                        {{- ", " }}
                    {%- endif %}
                {%- endfor %}
                {{- "}}" }}{{- ", " if not loop.last else "]" }}
            {%- endfor %}
            {{- "[/AVAILABLE_TOOLS]" }}
        {%- endif %}
        {{- "[INST] " + message["content"] + "[/INST]" }}
    {%- else %}
        {{- " " + message.content|default('', true)|trim + eos_token }}
    {%- endif %}
{%- else %}
    {{- "nothing" }}
{%- endfor %}
{{- turns | map(attribute='role') | join(', ') }} {{ messages | map(attribute='role') | map('upper') | list | length }}
"""

PHI3 = """{% for message in messages %}{% if message['role'] == 'system' and message['content'] %}{{'<|system|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'user' %}{{'<|user|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'assistant' and message['content'] is not none %}{{'<|assistant|>
' + message['content'] + '<|end|>
'}}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>
' }}{% else %}{{ eos_token }}{% endif %}"""

GEMMA = """{{ bos_token }}
{%- macro show(message, last=false, name='') -%}
    {%- set role = 'model' if message.role == 'assistant' else message.role -%}
    {{ '<start_of_turn>' ~ (name or role) }}
{{ message.content | trim if message.content is string else '' }}<end_of_turn>{{ '' if last else '\\n' }}
{%- endmacro -%}
{%- if messages and messages[0]['role'] == 'system' -%}
    {{ raise_exception('no system') }}
{%- endif -%}
{% for message in messages %}
    {%- if loop.nextitem is defined and loop.nextitem.role == message.role %}{% continue %}{% endif -%}
    {{ show(message, last=loop.last) }}
    {%- if loop.index > 6 %}{% break %}{% endif -%}
{% endfor %}
{% if add_generation_prompt %}
    {%- set ns = {'x': [1, 2, 3], "y": -7 // 2} -%}
    {{'<start_of_turn>model\\n'}}{{ ns.x[1:] | tojson }}{{ ns['y'] }}
{% endif %}
"""

DEEPSEEK = """{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}{% set ns = namespace(is_first=true, is_tool=false, opening='') %}{%- for message in messages %}{%- if message['role'] == 'system' %}{% if ns.is_first %}{% set ns.opening = ns.opening + message['content'] %}{% set ns.is_first = false %}{% else %}{% set ns.opening = ns.opening + '\\n\\n' + message['content'] %}{% endif %}{%- endif %}{%- endfor %}{{ bos_token }}{{ ns.opening }}{%- for message in messages %}{%- if message['role'] == 'user' %}{%- set ns.is_tool = false -%}{{'<|User|>' + message['content']}}{%- endif %}{%- if message['role'] == 'assistant' and message['tool_calls'] is defined and message['tool_calls'] is not none %}{%- set ns.is_tool = false -%}{%- for tool in message['tool_calls'] %}{{'<|call|>' + tool['function']['name'] + '\\n```json\\n' + tool['function']['arguments']|tojson + '\\n```'}}{%- endfor %}{{'<|end|>'}}{%- elif message['role'] == 'assistant' and message['content'] is not none %}{%- if ns.is_tool %}{{'<|outputs|>' + message['content'] + eos_token}}{%- set ns.is_tool = false -%}{%- else %}{% set content = message['content'] %}{% if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}{{'<|Assistant|>' + content + eos_token}}{%- endif %}{%- endif %}{%- if message['role'] == 'tool' %}{%- set ns.is_tool = true -%}{{'\\n<|output|>' + message['content']}}{%- endif %}{%- endfor -%}{% if ns.is_tool %}{{'<|outputs_end|>'}}{% endif %}{% if add_generation_prompt and not ns.is_tool %}{{'<|Assistant|>'}}{% endif %}"""

# What the others leave out of whitespace, scopes and values.
CORNERS = """  {# a remark #}
{% set x = 1 %}{% for i in range(3) %}{{ x }}{% set x = x + i %}{{ x }},{% endfor %}{{ x }}
  {%+ if true +%}
 kept
	{% endif %}
{% for c in 'a\\u00e9\\U0001F600z' %}{{ loop.revindex }}{{ c }}{% if not loop.last %}-{% endif %}{% endfor %}
{{ 'abcdef'[1:-1] }}{{ 'abcdef'[::-2] }}{{ [1, 2, 3][-1] }}{{ -7 % 3 }}{{ 7 // -2 }}{{ 2 * 3 - -1 }}{{ 'ab' * 2 }}
{{ [1, 'a', none, true, {'k': [], 'e': {}}] | tojson }}{{ {'a': [1, {'b': 2}]} | tojson(indent=2) }}
{{ '  a b  c '.split() | join('|') }}{{ 'a,b,,c'.split(',', 2) | join('|') }}{{ 'xxaxx'.strip('x') }}{{ 'abc' | replace('b', 'BB') }}
{% set block %} in {{ x }} {% set x = 9 %}{{ x }} {% endset %}[{{ block }}]{{ x }}
{{ missing }}{{ missing is defined }}{{ missing | default('d') }}{{ '' | default('e', true) }}{{ none is none }}{{ none }}{{ true }}
{% for k, v in {'b': 1, 'a': 2} | items %}{{ k }}={{ v }};{% endfor %}{% for z in [] %}{% else %}empty{% endfor %}
{{ 3 is odd }}{{ 4 is divisibleby 2 }}{{ 'a' in 'cat' and 1 not in [2] }}{{ 1 if false }}{{ ('a', 'b') | first }}{{ [3, 4] | last }}
{{ messages | selectattr('content', 'string') | map(attribute='content') | map('trim') | join('/') }}{{ 'Hello'.find('l') }}{{ "x" "y" ~ 1 + 2 if false else 'j' }}
{{ messages | length }}{{ messages[-1:] | tojson }}{{ ' 12 ' | int + 1 }}{{ 'aBc' | upper }}{{ 'aBc'.lower() }}{{ 'aBc' | capitalize }}
{%- for m in messages %}
  {% for n in messages if n.role == m.role %}
  {{ loop.index }}/{{ loop.length }}
  {% endfor %}
{% endfor %}
{{ messages | tojson }}
"""

TEMPLATES = {name.lower(): text for name, text in list(globals().items()) if name.isupper()}
