import { useData } from 'vitepress';
import { defineComponent, h, onMounted, shallowRef, useId, watch } from 'vue';

/** A Mermaid drawing, made in the browser. The library is loaded for the first drawing only. */
export const MermaidDiagram = defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const id = `mermaid-${useId()}`;
    const svg = shallowRef('');
    const draw = async (): Promise<void> => {
      const { default: mermaid } = await import('mermaid');
      // Labels of HTML would take the line height of the page, and be cut.
      const theme = isDark.value ? 'dark' : 'default';
      mermaid.initialize({ startOnLoad: false, htmlLabels: false, flowchart: { wrappingWidth: 420 }, theme });
      svg.value = (await mermaid.render(id, decodeURIComponent(props.code))).svg;
    };
    onMounted(draw);
    watch(isDark, draw);
    return () => h('div', { innerHTML: svg.value });
  },
});
