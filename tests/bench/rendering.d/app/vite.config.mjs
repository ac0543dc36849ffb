// Builds the application into one script and one style sheet, under names that stay the same.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
    plugins: [react()],
    build: {
        assetsInlineLimit: 0,
        rollupOptions: {
            output: { entryFileNames: "assets/app.js", assetFileNames: "assets/[name][extname]" },
        },
    },
});
